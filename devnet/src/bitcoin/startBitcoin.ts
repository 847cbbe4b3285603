import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hex } from '@scure/base'
import { Address, OutScript, TEST_NETWORK } from '@scure/btc-signer'
import { describeTransaction } from './describeTransaction.ts'
import { createLedger, outputName, type Ledger, type LedgerTransaction } from './ledger.ts'

/** The address format of the local chain: regtest. */
const writing = { ...TEST_NETWORK, bech32: 'bcrt' }

export type BitcoinOptions = {
  /** 0 selects a free port. */
  port?: number
  /** Mines each transaction immediately; true by default. */
  mining?: boolean
  /** The address format; regtest by default. */
  network?: typeof writing
}

/** A running Bitcoin chain. */
export type Bitcoin = {
  /** The base URL of its Esplora API. */
  url: string
  ledger: Ledger
  /** Mines coins to an address; returns the transaction id. */
  fund(address: string, satoshis: bigint): string
  close(): Promise<void>
}

/**
 * Starts a Bitcoin chain with an Esplora API. It verifies signatures and rejects double spends; it has no proof of work
 * and no peers.
 *
 * @example const chain = await startBitcoin(); chain.fund('bcrt1q…', 100_000_000n)
 */
export async function startBitcoin({
  port = 0,
  mining = true,
  network = writing,
}: BitcoinOptions = {}): Promise<Bitcoin> {
  const ledger = createLedger()
  const routes = routesOf(ledger, network, mining)
  const server = createServer(async (request, response) => {
    response.setHeader('access-control-allow-origin', '*')
    try {
      const result = await responseOf(routes, request)
      if (result === undefined) return void response.writeHead(404).end('Not found')
      const isText = typeof result === 'string'
      response.setHeader('content-type', isText ? 'text/plain' : 'application/json')
      response.end(isText ? result : JSON.stringify(result))
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      response.writeHead(400).end(`sendrawtransaction RPC error: ${reason}`)
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  // A TCP server always has an address of this form while it listens.
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${taken}`,
    ledger,
    fund: (address, satoshis) => ledger.mint(OutScript.encode(Address(network).decode(address)), satoshis).txid,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type Route = readonly [method: string, path: RegExp, handle: (part: string, body: string) => unknown]

async function responseOf(routes: readonly Route[], request: IncomingMessage): Promise<unknown> {
  const { method = 'GET', url = '/' } = request
  const body = Buffer.concat(await request.toArray()).toString()
  for (const [verb, path, handle] of routes) {
    const match = verb === method ? path.exec(url) : null
    if (match !== null) return handle(match[1] ?? '', body)
  }
  return undefined
}

/** The part of Esplora's HTTP interface that wallets and apps use. */
function routesOf(ledger: Ledger, network: typeof writing, mining: boolean): readonly Route[] {
  const scriptOf = (address: string): Uint8Array => OutScript.encode(Address(network).decode(address))
  const locked = (address: string): LedgerOutput[] => outputsOf(ledger, hex.encode(scriptOf(address)))
  const describe = (transaction: LedgerTransaction): object => ({
    ...describeTransaction(transaction, network),
    status: statusOf(transaction),
  })
  return [
    ['GET', /^\/address\/([^/]+)$/, (address) => describeAddress(address, locked(address))],
    [
      'GET',
      /^\/address\/([^/]+)\/utxo$/,
      (address) =>
        locked(address)
          .filter(({ spender }) => spender === undefined)
          .map(describeOutput),
    ],
    ['GET', /^\/address\/([^/]+)\/txs$/, (address) => latestOf(ledger, locked(address)).map(describe)],
    [
      'GET',
      /^\/address\/([^/]+\/txs\/chain\/[0-9a-f]{64})$/,
      (place) => {
        const [address = '', , , last = ''] = place.split('/')
        return listMined(ledger, locked(address), last).map(describe)
      },
    ],
    ['GET', /^\/tx\/([0-9a-f]{64})$/, (txid) => describeIfFound(ledger.find(txid), describe)],
    ['GET', /^\/tx\/([0-9a-f]{64}\/outspend\/\d+)$/, (output) => describeSpender(ledger, output)],
    ['GET', /^\/tx\/([0-9a-f]{64})\/status$/, (txid) => statusOf(ledger.find(txid))],
    ['GET', /^\/tx\/([0-9a-f]{64})\/hex$/, (txid) => hexIfFound(ledger.find(txid))],
    ['GET', /^\/fee-estimates$/, () => ({ 1: 3.2, 6: 2.1, 144: 1 })],
    ['GET', /^\/blocks\/tip\/height$/, () => String(ledger.height())],
    [
      'POST',
      /^\/tx$/,
      (_, body) => {
        const { txid } = ledger.accept(hex.decode(body.trim()))
        if (mining) ledger.mine()
        return txid
      },
    ],
  ]
}

type LedgerOutput = {
  transaction: LedgerTransaction
  index: number
  amount: bigint
  spender: LedgerTransaction | undefined
}

function outputsOf(ledger: Ledger, script: string): LedgerOutput[] {
  return ledger.transactions().flatMap((transaction) =>
    transaction.outputs.flatMap((output, index) => {
      if (hex.encode(output.script) !== script) return []
      const spender = ledger.isSpent(outputName(transaction.txid, index))
      return [{ transaction, index, amount: output.amount, spender }]
    }),
  )
}

function describeAddress(address: string, found: readonly LedgerOutput[]): object {
  const stats = (isMined: boolean): object => {
    const funded = found.filter(({ transaction }) => (transaction.height !== undefined) === isMined)
    const spent = found.filter(({ spender }) => spender !== undefined && (spender.height !== undefined) === isMined)
    return {
      funded_txo_count: funded.length,
      funded_txo_sum: sum(funded),
      spent_txo_count: spent.length,
      spent_txo_sum: sum(spent),
      tx_count: new Set([...funded, ...spent].map(({ transaction }) => transaction.txid)).size,
    }
  }
  return { address, chain_stats: stats(true), mempool_stats: stats(false) }
}

function sum(found: readonly LedgerOutput[]): number {
  return Number(found.reduce((all, { amount }) => all + amount, 0n))
}

function describeOutput({ transaction, index, amount }: LedgerOutput): object {
  return { txid: transaction.txid, vout: index, value: Number(amount), status: statusOf(transaction) }
}

function statusOf(transaction: LedgerTransaction | undefined): object | undefined {
  if (transaction === undefined) return undefined
  const { height } = transaction
  if (height === undefined) return { confirmed: false }
  return { confirmed: true, block_height: height, block_time: firstBlockSeconds + height * secondsPerBlock }
}

/** 2026-01-01, in seconds. */
const firstBlockSeconds = 1_767_225_600
const secondsPerBlock = 600
/** As many transactions as Esplora returns at once. */
const pageSizes = { pending: 50, mined: 25 } as const

/** The transactions that pay to a script or spend from it, newest first: the pending ones, and a page of the others. */
function latestOf(ledger: Ledger, found: readonly LedgerOutput[]): readonly LedgerTransaction[] {
  const own = listConcerning(ledger, found)
  const pending = own.filter(({ height }) => height === undefined).slice(0, pageSizes.pending)
  return [...pending, ...own.filter(({ height }) => height !== undefined).slice(0, pageSizes.mined)]
}

/** The page of mined transactions after the transaction `last`. */
function listMined(ledger: Ledger, found: readonly LedgerOutput[], last: string): readonly LedgerTransaction[] {
  const mined = listConcerning(ledger, found).filter(({ height }) => height !== undefined)
  const start = mined.findIndex(({ txid }) => txid === last) + 1
  return start === 0 ? [] : mined.slice(start, start + pageSizes.mined)
}

function listConcerning(ledger: Ledger, found: readonly LedgerOutput[]): readonly LedgerTransaction[] {
  const own = new Set(found.flatMap(({ transaction, spender }) => [transaction.txid, spender?.txid]))
  return ledger
    .transactions()
    .filter(({ txid }) => own.has(txid))
    .toReversed()
}

function describeSpender(ledger: Ledger, output: string): object | undefined {
  const [txid = '', , index = ''] = output.split('/')
  if (ledger.find(txid)?.outputs[Number(index)] === undefined) return undefined
  const name = outputName(txid, Number(index))
  const spender = ledger.isSpent(name)
  if (spender === undefined) return { spent: false }
  return { spent: true, txid: spender.txid, vin: spender.spends.indexOf(name), status: statusOf(spender) }
}

function describeIfFound<result>(
  transaction: LedgerTransaction | undefined,
  describe: (transaction: LedgerTransaction) => result,
): result | undefined {
  return transaction && describe(transaction)
}

function hexIfFound(transaction: LedgerTransaction | undefined): string | undefined {
  return transaction && hex.encode(transaction.raw)
}
