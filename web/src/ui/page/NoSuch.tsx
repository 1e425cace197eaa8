import { FileUnknownOutlined } from "@ant-design/icons";
import { Result } from "antd";
import type { ReactNode } from "react";
import { ApiError } from "@/lib/api/client";
import { useWords } from "@/lib/i18n/language";
import { LinkButton } from "../action/LinkButton";
import { words } from "../words";
import { useTabTitle } from "./useTabTitle";

/** A page for what is not there: what was asked for, why it may be missing, and the way back. */
export function NoSuch({ title, hint, wayBack }: { title: string; hint?: string; wayBack: ReactNode }) {
  useTabTitle(title);
  return (
    <Result
      icon={<FileUnknownOutlined className="no-such-icon" />}
      title={<h1 className="result-title">{title}</h1>}
      subTitle={hint}
      extra={wayBack}
    />
  );
}

/** No job has this number, or nothing of that kind could be a number. */
export function NoSuchJob({ jobRef, error }: { jobRef: string; error: ApiError }) {
  const say = useWords(words);
  const isNumber = error.status === 404;
  return (
    <NoSuch
      title={say(isNumber ? "jobGone" : "noJobLikeThat", { ref: jobRef })}
      hint={say(isNumber ? "jobGoneHint" : "jobNumbers")}
      wayBack={<LinkButton to="/jobs">{say("toJobs")}</LinkButton>}
    />
  );
}

export function isNoSuchJob(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 404 || error.code === "bad_job_id");
}
