import { randomBytes } from 'node:crypto'

/** The place of a span in a trace (W3C Trace Context). */
export type TraceContext = {
  /** 16 bytes as hex. */
  traceId: string
  /** 8 bytes as hex. */
  spanId: string
  /** True if the spans of the trace are recorded. */
  isSampled: boolean
}

const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const invalidIds: readonly string[] = ['0'.repeat(32), '0'.repeat(16)]
const longestHeader = 256
const sampledFlag = 1

/** Parses a `traceparent` header. Later versions may append fields, which are ignored. Returns nothing for an invalid one. */
export function parseTraceparent(header: string): TraceContext | undefined {
  if (header.length > longestHeader) return undefined
  const [, version, traceId = '', spanId = '', flags = '', more] = pattern.exec(header) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined
  if (invalidIds.includes(traceId) || invalidIds.includes(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & sampledFlag) === sampledFlag }
}

/** Formats the header by which another process continues a trace. */
export function formatTraceparent({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
}

const pool = 4_096

/** Creates ids from random bytes that are drawn in large pieces: a draw costs more than a span. */
export function createIds(): { create(bytes: 8 | 16): string } {
  let bytes = randomBytes(pool)
  let used = 0
  return {
    create(length) {
      if (used + length > pool) {
        bytes = randomBytes(pool)
        used = 0
      }
      used += length
      return bytes.toString('hex', used - length, used)
    },
  }
}

/**
 * Creates the context of a new span. It is recorded if its parent is.
 *
 * @param parent the context of the parent, if there is one
 * @param ids creates the ids
 * @param share the share of the traces that are recorded
 */
export function createContext(
  parent: TraceContext | undefined,
  ids: ReturnType<typeof createIds>,
  share: number,
): TraceContext {
  // Spans that are not recorded need no ids of their own.
  if (parent?.isSampled === false) return parent
  const traceId = parent?.traceId ?? ids.create(16)
  return { traceId, spanId: ids.create(8), isSampled: parent !== undefined || isChosen(traceId, share) }
}

/**
 * Continues the trace of a client. A client can refuse that its trace is recorded, but not demand it: it chooses the id of the
 * trace, so another id decides.
 */
export function limitToShare(parent: TraceContext, ids: ReturnType<typeof createIds>, share: number): TraceContext {
  return { ...parent, isSampled: parent.isSampled && isChosen(ids.create(16), share) }
}

function isChosen(id: string, share: number): boolean {
  return Number.parseInt(id.slice(-13), 16) < share * 2 ** 52
}
