import ReactMarkdown, { type Components } from "react-markdown";

/** Headings of a notice are no headings of the page. An image would tell its server who reads the notice. */
const ELEMENTS: Components = {
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  ),
  h1: "b",
  h2: "b",
  h3: "b",
  h4: "b",
  h5: "b",
  h6: "b",
};

/** Markdown as elements of the page. HTML in it is shown as the text that it is, and links lead to web pages and mail alone. */
export default function Markdown({ text }: { text: string }) {
  return (
    <ReactMarkdown components={ELEMENTS} disallowedElements={["img"]}>
      {text}
    </ReactMarkdown>
  );
}
