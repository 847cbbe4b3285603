import { createServer, type AddressInfo, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { toScriptHash } from '../../kit/bitcoin/bitcoinScripts.ts'
import { getField } from '../../kit/runtime/getField.ts'

/** A transaction that the server knows. */
export type ElectrumTransaction = {
  txid: string
  /** Hexadecimal digits. */
  raw: string
  /** Undefined while it is pending. */
  height: number | undefined
  /** The scripts that it pays or spends from. */
  scripts: readonly Uint8Array[]
}

export type TestElectrumOptions = {
  /** All transactions, the oldest first. */
  list(): readonly ElectrumTransaction[]
  /** The time of a block, in seconds. */
  timeOf(height: number): number
  /** Replaces the result of a call. */
  replace?(method: string, params: unknown, result: unknown): unknown
}

/** An Electrum server on this machine, without TLS. */
export type TestElectrum = { url: string; methods: readonly string[]; close(): Promise<void> }

/** Starts an Electrum server (Electrum protocol 1.4) for tests. It has the methods that a history needs. */
export async function startTestElectrum(options: TestElectrumOptions): Promise<TestElectrum> {
  const methods: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    createInterface({ input: socket }).on('line', (line) => {
      // For example a client that uses TLS.
      if (!line.startsWith('{')) return void socket.destroy()
      const message = JSON.parse(line) as unknown
      const [id, method, params] = [
        getField(message, 'id'),
        String(getField(message, 'method')),
        getField(message, 'params'),
      ]
      methods.push(method)
      const known = respondLikeElectrum(options, method, params)
      const result = options.replace?.(method, params, known) ?? known
      const failed = { jsonrpc: '2.0', id, error: { code: 1, message: 'unknown' } }
      const text = result === undefined ? failed : { jsonrpc: '2.0', id, result }
      if (!socket.destroyed) socket.write(`${JSON.stringify(text)}\n`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo
  return {
    url: `tcp://127.0.0.1:${port}`,
    methods,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Returns undefined for an unknown method or transaction. */
function respondLikeElectrum({ list, timeOf }: TestElectrumOptions, method: string, params: unknown): unknown {
  const first = getField(params, '0')
  if (method === 'server.version') return ['TestElectrum 1.0', '1.4']
  if (method === 'blockchain.transaction.get') return list().find(({ txid }) => txid === first)?.raw
  if (method === 'blockchain.block.header') return createHeader(timeOf(Number(first)))
  if (method !== 'blockchain.scripthash.get_history') return undefined
  const concerned = list().filter(({ scripts }) => scripts.some((each) => toScriptHash(Buffer.from(each)) === first))
  const pending = concerned.filter(({ height }) => height === undefined)
  const mined = concerned.filter(({ height }) => height !== undefined)
  return [...mined, ...pending].map(({ txid, height }) => ({ tx_hash: txid, height: height ?? 0 }))
}

function createHeader(seconds: number): string {
  const header = Buffer.alloc(80)
  header.writeUInt32LE(seconds, 68)
  return header.toString('hex')
}
