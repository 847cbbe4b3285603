import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A span as a collector gets it, with its attributes as an object. */
export type ReceivedSpan = {
  traceId: string
  spanId: string
  parentSpanId: string
  name: string
  kind: number
  attributes: Readonly<Record<string, unknown>>
  /** Milliseconds since 1970. */
  startedAt: number
  endedAt: number
  isError: boolean
}

/** A collector that understands OTLP/HTTP with JSON. */
export type OtlpReceiver = {
  url: string
  readonly spans: readonly ReceivedSpan[]
  /** The bodies as they came. */
  text(): string
  headers(): readonly IncomingHttpHeaders[]
  /** The attributes of the sender. */
  resource(): Readonly<Record<string, unknown>>
  /** Lists the spans of the same trace as the first one that matches. */
  traceOf(matches: (span: ReceivedSpan) => boolean): readonly ReceivedSpan[]
  close(): Promise<void>
}

type JsonAttribute = { key: string; value: Readonly<Record<string, unknown>> }
type JsonSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: readonly JsonAttribute[]
  startTimeUnixNano: string
  endTimeUnixNano: string
  status?: { code?: number }
}
type ExportRequest = {
  resourceSpans: readonly {
    resource: { attributes: readonly JsonAttribute[] }
    scopeSpans: readonly { spans: readonly JsonSpan[] }[]
  }[]
}

const statusError = 2

/** Starts a collector on a free port of this machine. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const bodies: string[] = []
  const headers: IncomingHttpHeaders[] = []
  const spans: ReceivedSpan[] = []
  let resource: Readonly<Record<string, unknown>> = {}
  const server = createServer((request, response) => {
    void request.toArray().then((chunks) => {
      const body = Buffer.concat(chunks as Buffer[]).toString()
      const isTraces = request.url === '/v1/traces' && request.headers['content-type'] === 'application/json'
      if (isTraces) {
        bodies.push(body)
        headers.push(request.headers)
        // A body of another form fails the test.
        const { resourceSpans } = JSON.parse(body) as ExportRequest
        for (const each of resourceSpans) {
          resource = toObject(each.resource.attributes)
          spans.push(...each.scopeSpans.flatMap((scope) => scope.spans.map(toSpan)))
        }
      }
      response.writeHead(isTraces ? 200 : 404, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    text: () => bodies.join('\n'),
    headers: () => headers,
    resource: () => resource,
    traceOf(matches) {
      const found = spans.find(matches)
      return spans.filter(({ traceId }) => traceId === found?.traceId)
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function toSpan({
  attributes,
  parentSpanId = '',
  startTimeUnixNano,
  endTimeUnixNano,
  ...span
}: JsonSpan): ReceivedSpan {
  const { traceId, spanId, name, kind, status } = span
  return {
    traceId,
    spanId,
    parentSpanId,
    name,
    kind,
    attributes: toObject(attributes),
    startedAt: Number(BigInt(startTimeUnixNano) / 1_000_000n),
    endedAt: Number(BigInt(endTimeUnixNano) / 1_000_000n),
    isError: status?.code === statusError,
  }
}

function toObject(attributes: readonly JsonAttribute[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, toValue(value)]))
}

/** 64-bit integers are strings in the JSON of Protocol Buffers. */
function toValue(value: JsonAttribute['value']): unknown {
  return 'intValue' in value ? Number(value['intValue']) : Object.values(value)[0]
}
