import type { FastifyBaseLogger } from 'fastify'
import type { SpanAttributes, SpanOptions } from './tracing.ts'
import type { TracingConfig } from './tracingVariables.ts'

/** A span that has ended. */
export type EndedSpan = {
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  name: string
  kind: NonNullable<SpanOptions['kind']>
  attributes: SpanAttributes
  /** Milliseconds since 1970, with fractions. */
  startedAt: number
  endedAt: number
  failed: boolean
}

export type OtlpExporterOptions = Pick<TracingConfig, 'endpoint' | 'headers'> & {
  /** Describes the sender. */
  resource: SpanAttributes
  log: Pick<FastifyBaseLogger, 'warn' | 'info'>
}

/** Sends spans to a collector over OTLP/HTTP with JSON. */
export type OtlpExporter = {
  add(span: EndedSpan): void
  /** Sends what is waiting until the collector does not accept it. */
  send(): Promise<void>
  /** Sends what is waiting, once. */
  close(): Promise<void>
}

const batchSize = 512
/** An unreachable collector must not fill the memory: further spans are dropped. */
const maxWaiting = 8_192
const sendIntervalMs = 2_000
const requestTimeoutMs = 5_000
/** While the collector is unreachable, every fifteenth interval tries it. */
const pausedIntervals = 15
/** Numbers of OTLP, by the enumeration `SpanKind`. */
const kinds = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 } as const
const statusError = 2
const maxTextLength = 128

/** Creates an exporter, which sends every two seconds or as soon as a batch is full. */
export function createOtlpExporter({ endpoint, headers, resource, log }: OtlpExporterOptions): OtlpExporter {
  let waiting: EndedSpan[] = []
  let sending: Promise<void> | undefined
  let pause = 0
  const timer = setInterval(() => {
    if (pause > 0) pause -= 1
    else void send()
  }, sendIntervalMs)
  timer.unref()

  function send(): Promise<void> {
    sending ??= sendAll().finally(() => (sending = undefined))
    return sending
  }

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchSize)
      waiting = waiting.slice(batchSize)
      const isAccepted = await post(formatSpans(batch, resource)).catch(() => false)
      report(isAccepted)
      if (isAccepted) continue
      waiting = [...batch, ...waiting].slice(0, maxWaiting)
      return
    }
  }

  async function post(body: string): Promise<boolean> {
    const request = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body }
    const response = await fetch(`${endpoint}/v1/traces`, { ...request, signal: AbortSignal.timeout(requestTimeoutMs) })
    await response.body?.cancel()
    // Spans that the collector refuses for good are not sent again.
    return response.status !== 429 && response.status < 500
  }

  function report(isAccepted: boolean): void {
    if (!isAccepted && pause === 0) log.warn('the collector of traces does not accept them now')
    if (isAccepted && pause > 0) log.info('the collector accepts traces again')
    pause = isAccepted ? 0 : pausedIntervals
  }

  return {
    send,
    add(span) {
      if (waiting.length >= maxWaiting) return
      waiting.push(span)
      if (waiting.length >= batchSize && pause === 0) void send()
    },
    async close() {
      clearInterval(timer)
      await sending
      await send()
    },
  }
}

/** Formats spans as the JSON of an `ExportTraceServiceRequest`. */
function formatSpans(spans: readonly EndedSpan[], resource: SpanAttributes): string {
  const scopeSpans = [{ scope: { name: 'latchkey' }, spans: spans.map(toJsonSpan) }]
  return JSON.stringify({ resourceSpans: [{ resource: { attributes: toAttributes(resource) }, scopeSpans }] })
}

function toJsonSpan({ traceId, spanId, parentSpanId, name, kind, ...span }: EndedSpan): object {
  return {
    traceId,
    spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    name,
    kind: kinds[kind],
    startTimeUnixNano: toNanoseconds(span.startedAt),
    endTimeUnixNano: toNanoseconds(span.endedAt),
    attributes: toAttributes(span.attributes),
    status: span.failed ? { code: statusError } : {},
  }
}

/** A number of nanoseconds since 1970 is too large for a double. */
function toNanoseconds(milliseconds: number): string {
  const whole = Math.floor(milliseconds)
  return String(BigInt(whole) * 1_000_000n + BigInt(Math.round((milliseconds - whole) * 1_000_000)))
}

function toAttributes(attributes: SpanAttributes): readonly object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: toValue(value) }))
}

function toValue(value: SpanAttributes[string]): object {
  if (typeof value === 'string') return { stringValue: value.slice(0, maxTextLength) }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
