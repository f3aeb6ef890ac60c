/** Speech into text, where the browser offers it. */

import { useEffect, useRef, useState } from "react";
import { language } from "../words/words";

interface Recognition {
  lang: string;
  interimResults: boolean;
  continuous: boolean;
  onresult: ((event: { results: ArrayLike<ArrayLike<{ transcript: string }>> }) => void) | null;
  onend: (() => void) | null;
  onerror: (() => void) | null;
  start(): void;
  stop(): void;
}
type Maker = new () => Recognition;

const LOCALES = { en: "en-US", it: "it-IT" };
const { SpeechRecognition, webkitSpeechRecognition } = globalThis as {
  SpeechRecognition?: Maker;
  webkitSpeechRecognition?: Maker;
};
const Speech = SpeechRecognition ?? webkitSpeechRecognition;

export interface Dictation {
  listening: boolean;
  start(before: string): void;
  stop(): void;
}

export function useDictation(onText: (text: string) => void): Dictation | null {
  const [listening, setListening] = useState(false);
  const running = useRef<Recognition | null>(null);
  useEffect(() => () => running.current?.stop(), []);
  if (!Speech) return null;
  return {
    listening,
    start(before) {
      const recognition = new Speech();
      recognition.lang = navigator.languages.find(tag => tag.startsWith(`${language()}-`)) ?? LOCALES[language()];
      recognition.interimResults = true;
      recognition.onresult = ({ results }) => {
        const said = Array.from(results, one => one[0]?.transcript ?? "").join("");
        onText(before ? `${before} ${said}` : said);
      };
      recognition.onend = () => setListening(false);
      recognition.onerror = () => setListening(false);
      running.current = recognition;
      recognition.start();
      setListening(true);
    },
    stop() {
      running.current?.stop();
      setListening(false);
    },
  };
}
