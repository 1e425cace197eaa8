import { createLink } from "@tanstack/react-router";
import { Button } from "antd";

/** A link that looks like a button: it can be opened in another tab, as links can. */
export const LinkButton = createLink(Button);
