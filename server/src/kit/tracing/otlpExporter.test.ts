import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createOtlpExporter, type EndedSpan, type OtlpExporter } from './otlpExporter.ts'

type ExporterWorld = {
  exporter: OtlpExporter
  received: number[]
  logged: string[]
  respondWith(...statuses: number[]): void
}

/** Opens an exporter, and a collector that counts the spans of each accepted request. */
async function open(): Promise<ExporterWorld> {
  const received: number[] = []
  const statuses: number[] = []
  const server = createServer((request, response) => {
    void request.toArray().then((chunks) => {
      const status = statuses.shift() ?? 200
      const spans =
        Buffer.concat(chunks as Buffer[])
          .toString()
          .match(/"spanId"/g) ?? []
      if (status === 200) received.push(spans.length)
      response.writeHead(status).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const logged: string[] = []
  const log = {
    warn: (text: unknown) => void logged.push(String(text)),
    info: (text: unknown) => void logged.push(String(text)),
  }
  // A server that listens on a port has an address of this form.
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const exporter = createOtlpExporter({ endpoint, headers: {}, resource: { 'service.name': 'test' }, log })
  onTestFinished(async () => {
    await exporter.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { exporter, received, logged, respondWith: (...planned) => void statuses.push(...planned) }
}

const span: EndedSpan = {
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  parentSpanId: undefined,
  name: 'name',
  kind: 'internal',
  attributes: { text: 'x'.repeat(1_000) },
  startedAt: 1_800_000_000_000,
  endedAt: 1_800_000_000_001,
  failed: false,
}

function add(exporter: OtlpExporter, count: number): void {
  for (let index = 0; index < count; index += 1) exporter.add(span)
}

test('spans are sent again after the collector was busy, and both is logged once', async () => {
  const { exporter, received, logged, respondWith } = await open()
  add(exporter, 3)
  respondWith(503, 429)
  await exporter.send()
  await exporter.send()
  expect(received).toEqual([])
  await exporter.send()
  expect(received).toEqual([3])
  expect(logged).toEqual(['the collector of traces does not accept them now', 'the collector accepts traces again'])
})

test('spans that the collector refuses permanently are dropped', async () => {
  const { exporter, received, respondWith } = await open()
  add(exporter, 3)
  respondWith(400)
  await exporter.send()
  await exporter.send()
  expect(received).toEqual([])
})

test('an unreachable collector leaves 8,192 spans waiting at most', async () => {
  const { exporter, received, respondWith } = await open()
  respondWith(503)
  add(exporter, 600)
  await exporter.send()
  add(exporter, 20_000)
  await exporter.send()
  expect(received.reduce((sum, count) => sum + count, 0)).toBe(8_192)
  expect(Math.max(...received)).toBe(512)
})

test('closing sends what is waiting', async () => {
  const { exporter, received } = await open()
  add(exporter, 2)
  await exporter.close()
  expect(received).toEqual([2])
})
