import type { RunInContext } from '../runtime/batch.ts'

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

export type SpanOptions = {
  /** `server` and `client` for requests, `producer` and `consumer` for messages; `internal` by default. */
  kind?: 'server' | 'client' | 'producer' | 'consumer' | 'internal'
  attributes?: SpanAttributes
  /** The `traceparent` of the parent (W3C Trace Context), from another process. By default, the current span is the parent. */
  parent?: string | undefined
  /** The `traceparent` that a client sent. It may not choose that its trace is recorded. */
  clientParent?: string | undefined
  /** Milliseconds since 1970; now by default. */
  startedAt?: number
}

/** A measured piece of work. */
export type Span = {
  /** The header by which another process continues the trace (W3C Trace Context). */
  readonly traceparent: string
  /** False if the trace is not part of the configured share. */
  readonly isRecorded: boolean
  /** Sets attributes. They never have secrets, addresses, topics, tokens or the values of rows. */
  set(attributes: SpanAttributes): void
  /** Ends the span. @param failed true for an error; its text is not part of the trace */
  end(failed?: boolean): void
}

/** Records traces. Without the switch there is no value of this type, and callers do nothing. */
export type Tracing = {
  /** Starts a span. @param name a fixed text, or one from a fixed set */
  start(name: string, options?: SpanOptions): Span
  /** Starts a span inside the current one. @returns `undefined` if there is none, or it is not recorded */
  startChild(name: string, options?: SpanOptions): Span | undefined
  /** Runs work with a span as the current one. */
  within<result>(span: Span, work: () => result): result
  /** Captures the current span for work that runs later, in another chain of calls. */
  capture(): RunInContext
  /** Sends the last spans. */
  close(): Promise<void>
}
