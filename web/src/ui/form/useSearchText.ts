import { useEffect, useRef, useState } from "react";

/** Long enough for a word to be typed, short enough not to be waited for. */
const PAUSE_MS = 250;

/** What is being typed, told when there is a pause; and the address, when the user goes back. */
export function useSearchText(
  said: string | undefined,
  onSaid: (text: string | undefined) => void,
): [string, (text: string) => void] {
  const [text, setText] = useState(said ?? "");
  const told = useRef(said ?? "");
  const tell = useRef(onSaid);
  tell.current = onSaid;

  useEffect(() => {
    if ((said ?? "") === told.current) return;
    told.current = said ?? "";
    setText(told.current);
  }, [said]);

  useEffect(() => {
    if (text.trim() === told.current.trim()) return;
    const timer = setTimeout(() => {
      told.current = text.trim();
      tell.current(told.current || undefined);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText];
}
