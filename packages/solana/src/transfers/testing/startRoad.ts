import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getBase58Decoder, getTransactionDecoder } from '@solana/kit'

/** A way to a chain that can be cut, and that can lie. */
export type Road = {
  readonly url: string
  cut(): void
  mend(): void
  /** Answers a method by itself. */
  answer(method: string, result: unknown): void
  /** Takes transactions and keeps them; who sent one is told its signature, or what is made of it. */
  swallow(method: string, tell?: (signature: string) => string): void
  answerTruly(): void
  close(): void
}

type Question = { id: unknown; method: string; params: readonly unknown[] }

export async function startRoad(url: string): Promise<Road> {
  let isCut = false
  const lies = new Map<string, (params: readonly unknown[]) => unknown>()
  const server = createServer(async (request, response) => {
    if (isCut) return void request.socket.destroy()
    const body = (await request.toArray()).join('')
    // What is sent in tests is what clients of this package send.
    const { id, method, params } = JSON.parse(body) as Question
    const lie = lies.get(method)
    response.setHeader('content-type', 'application/json')
    if (lie !== undefined) return void response.end(JSON.stringify({ jsonrpc: '2.0', id, result: lie(params) }))
    const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    response.end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A TCP server always has an address of this form while it listens.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    cut: () => void (isCut = true),
    mend: () => void (isCut = false),
    answer: (method, result) => void lies.set(method, () => result),
    swallow: (method, tell = (signature) => signature) =>
      void lies.set(method, ([wire]) => tell(signatureIn(String(wire)))),
    answerTruly: () => lies.clear(),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function signatureIn(wire: string): string {
  const { signatures } = getTransactionDecoder().decode(new Uint8Array(Buffer.from(wire, 'base64')))
  const [signature] = Object.values(signatures)
  return getBase58Decoder().decode(signature ?? new Uint8Array(64))
}
