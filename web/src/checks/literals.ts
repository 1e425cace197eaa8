/** Finds text for people that stands in the code instead of in a catalogue. Pure. */
import ts from "typescript";
import { walk } from "./sources";

/** Attributes, and properties of options, whose text is shown or read aloud. */
const SHOWN = new Set([
  "addonAfter",
  "addonBefore",
  "alt",
  "aria-description",
  "aria-label",
  "aria-placeholder",
  "aria-roledescription",
  "aria-valuetext",
  "cancelText",
  "caption",
  "checkedChildren",
  "content",
  "description",
  "emptyText",
  "extra",
  "header",
  "help",
  "hint",
  "label",
  "message",
  "note",
  "notFoundContent",
  "okText",
  "placeholder",
  "prefix",
  "subTitle",
  "suffix",
  "text",
  "tip",
  "title",
  "tooltip",
  "unCheckedChildren",
]);
/** `message.success("…")` and the like. */
const TELLERS = new Set(["message", "notification", "modal"]);
/** The same in every language: units, keys, options, and names of things that have no other. */
const NAMES =
  /--[\w-]+|\b\d+[dhms]\b|\{\w+\}|\b(GPUs?|CPUs?|MB|GB|TB|KB|B|W|C|s|ms|h|m|Enter|Esc|Ctrl|Shift|Alt|Tab|Python|danlu)\b/g;
/** What stands in these is code. */
const CODE = new Set(["code", "kbd", "pre"]);

export interface Literal {
  node: ts.Node;
  text: string;
}

/** All of a file. */
export function findLiterals(tree: ts.SourceFile): Literal[] {
  const found: Literal[] = [];
  walk(tree, (node) => {
    if (ts.isJsxText(node)) found.push({ node, text: node.text });
    else if (ts.isJsxExpression(node) && node.expression && isChild(node))
      found.push(...textsOf(node.expression));
    else if (ts.isJsxAttribute(node) && node.initializer && SHOWN.has(node.name.getText(tree))) {
      found.push(...textsOf(node.initializer));
    } else if (ts.isPropertyAssignment(node) && SHOWN.has(nameOf(node.name))) {
      found.push(...textsOf(node.initializer));
    } else if (ts.isCallExpression(node) && isTelling(node)) {
      for (const argument of node.arguments) found.push(...textsOf(argument));
    }
  });
  return found.filter(({ node, text }) => isWorded(text) && !isCode(node));
}

/** Whether there is anything in a text that could be translated. */
export function isWorded(text: string): boolean {
  return /\p{L}/u.test(text.replace(NAMES, ""));
}

function isCode(node: ts.Node): boolean {
  for (let above: ts.Node | undefined = node.parent; above; above = above.parent) {
    if (ts.isJsxElement(above)) return CODE.has(above.openingElement.tagName.getText());
  }
  return false;
}

/** The texts that an expression may turn out to be. */
function textsOf(node: ts.Node): Literal[] {
  if (ts.isStringLiteralLike(node)) return [{ node, text: node.text }];
  if (ts.isTemplateExpression(node)) {
    return [node.head, ...node.templateSpans.map(({ literal }) => literal)].map((part) => ({
      node,
      text: part.text,
    }));
  }
  if (ts.isJsxExpression(node)) return node.expression ? textsOf(node.expression) : [];
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) {
    return textsOf(node.expression);
  }
  if (ts.isConditionalExpression(node)) return [...textsOf(node.whenTrue), ...textsOf(node.whenFalse)];
  if (ts.isBinaryExpression(node) && JOINS.has(node.operatorToken.kind)) {
    const right = textsOf(node.right);
    return node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken
      ? right
      : [...textsOf(node.left), ...right];
  }
  return [];
}

const JOINS = new Set([
  ts.SyntaxKind.PlusToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
  ts.SyntaxKind.AmpersandAmpersandToken,
]);

function isChild(node: ts.JsxExpression): boolean {
  return ts.isJsxElement(node.parent) || ts.isJsxFragment(node.parent);
}

function nameOf(name: ts.PropertyName): string {
  return ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : "";
}

function isTelling({ expression }: ts.CallExpression): boolean {
  return (
    ts.isPropertyAccessExpression(expression) &&
    ts.isIdentifier(expression.expression) &&
    TELLERS.has(expression.expression.text)
  );
}
