import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app";
import { install } from "./offline/install";
import "./styles.css";

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
install();
