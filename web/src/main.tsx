import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app";
import { install } from "./offline/install";
import { receiveShared } from "./state/shared";
import "./styles.css";

receiveShared();
createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
install();
