import { AsyncLocalStorage } from 'node:async_hooks'
import { createOtlpExporter, type OtlpExporterOptions } from './otlpExporter.ts'
import {
  createContext,
  createIds,
  formatTraceparent,
  limitToShare,
  parseTraceparent,
  type TraceContext,
} from './traceContext.ts'
import type { Span, SpanOptions, Tracing } from './tracing.ts'
import type { TracingConfig } from './tracingVariables.ts'

export type OpenTracingOptions = TracingConfig & {
  /** The release of the server. */
  version: string
  log: OtlpExporterOptions['log']
}

/**
 * Opens traces that are sent to a collector. Nothing is registered globally, so several servers in one process don't share
 * traces.
 */
export function openTracing({ serviceName, version, share, ...options }: OpenTracingOptions): Tracing {
  const resource = { 'service.name': serviceName, 'service.version': version }
  const exporter = createOtlpExporter({ ...options, resource })
  const current = new AsyncLocalStorage<TraceContext>()
  const ids = createIds()
  const contexts = new WeakMap<Span, TraceContext>()
  let openSpans = 0

  /** Until the next recorded span, Node.js then doesn't track the context of each promise, which costs the relay a third more. */
  function onEnd(): void {
    openSpans -= 1
    if (openSpans === 0) current.disable()
  }

  function start(name: string, parent: TraceContext | undefined, spanOptions: SpanOptions): Span {
    const context = createContext(parent, ids, share)
    if (context.isSampled) openSpans += 1
    const span = context.isSampled
      ? createSpan(name, { ...spanOptions, context, parent, exporter, onEnd })
      : createUnrecordedSpan(context)
    contexts.set(span, context)
    return span
  }

  return {
    start(name, spanOptions = {}) {
      const { parent, clientParent } = spanOptions
      const asked = clientParent === undefined ? undefined : parseTraceparent(clientParent)
      if (asked !== undefined) return start(name, limitToShare(asked, ids, share), spanOptions)
      return start(name, parent === undefined ? current.getStore() : parseTraceparent(parent), spanOptions)
    },
    startChild(name, spanOptions = {}) {
      const parent = current.getStore()
      return parent?.isSampled === true ? start(name, parent, spanOptions) : undefined
    },
    within(span, work) {
      // Without a recorded span, nothing asks for the current one.
      return openSpans === 0 ? work() : current.run(contexts.get(span) as TraceContext, work) // Every span has a context.
    },
    capture() {
      const context = current.getStore()
      return (work) => {
        if (openSpans === 0) return work()
        return context === undefined ? current.exit(work) : current.run(context, work)
      }
    },
    close: exporter.close,
  }
}

type RecordedSpanOptions = Omit<SpanOptions, 'parent' | 'clientParent'> & {
  context: TraceContext
  parent: TraceContext | undefined
  exporter: Pick<ReturnType<typeof createOtlpExporter>, 'add'>
  onEnd(): void
}

function createSpan(name: string, options: RecordedSpanOptions): Span {
  const { context, parent, exporter, kind = 'internal' } = options
  // The clock of the machine may jump; durations come from the monotonic one.
  const startedAt = options.startedAt ?? Date.now()
  const openedAt = performance.now() - (Date.now() - startedAt)
  let attributes = options.attributes ?? {}
  let isOpen = true
  return {
    traceparent: formatTraceparent(context),
    isRecorded: true,
    set(added) {
      attributes = { ...attributes, ...added }
    },
    end(failed = false) {
      if (!isOpen) return
      isOpen = false
      const { traceId, spanId } = context
      const endedAt = startedAt + Math.max(0, performance.now() - openedAt)
      exporter.add({
        traceId,
        spanId,
        parentSpanId: parent?.spanId,
        name,
        kind,
        attributes,
        startedAt,
        endedAt,
        failed,
      })
      options.onEnd()
    },
  }
}

/** A span that is not sent, but by which other processes learn that. */
function createUnrecordedSpan(context: TraceContext): Span {
  const ignore = (): void => undefined
  return {
    get traceparent() {
      return formatTraceparent(context)
    },
    isRecorded: false,
    set: ignore,
    end: ignore,
  }
}
