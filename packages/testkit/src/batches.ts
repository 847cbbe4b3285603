import { isHex, type Hex, type LocalAccount } from 'viem'
import { hexChainId, type ChainList } from './chainList.ts'
import { askChain, isRecord, minedReceipt } from './chainRpc.ts'
import { RpcError } from './rpcError.ts'
import { sendAtOnce } from './sendAtOnce.ts'
import { accountOf, invalid, signWith } from './signing.ts'

/** How a wallet carries a batch out: in one transaction or none, or in one transaction after the other. */
export type BatchKind = 'atomic' | 'one-by-one'

/** The batches of a wallet (EIP-5792), carried out on the chain. */
export type Batches = {
  /**
   * Begins to carry a batch out.
   *
   * @throws RpcError 4100, 5700, 5710, 5720, 5760, or -32602 when the request makes no sense.
   */
  send(request: unknown, accounts: readonly LocalAccount[]): { id: string }
  /** @throws RpcError 5730 when nobody sent it. */
  status(id: unknown): Promise<object>
}

type Batch = { chainId: number; rpcUrl: string; hashes: Hex[]; done: boolean }

/**
 * @param inTurn does something after what the wallet still has to send
 */
export function createBatches(
  chains: ChainList,
  kind: BatchKind,
  inTurn: <result>(act: () => Promise<result>) => Promise<result>,
): Batches {
  const batches = new Map<string, Batch>()

  async function carryOut(
    batch: Batch,
    account: LocalAccount,
    calls: readonly Record<string, unknown>[],
  ): Promise<void> {
    const chain = { id: batch.chainId, rpcUrl: batch.rpcUrl }
    if (kind === 'atomic') {
      batch.hashes.push(await sendAtOnce(account, batch.chainId, batch.rpcUrl, calls))
      return
    }
    for (const call of calls) {
      const params = [{ ...call, from: account.address }]
      const hash = await signWith([account], chain, 'eth_sendTransaction', params)
      batch.hashes.push(hash)
      // What comes after a call that failed is not sent.
      if ((await minedReceipt(batch.rpcUrl, hash))['status'] !== '0x1') return
    }
  }

  return {
    send(request, accounts) {
      const { id, account, calls } = readRequest(request, accounts, chains, kind)
      if (batches.has(id)) throw new RpcError(5720, 'There is a batch with this id.')
      const { id: chainId, rpcUrl = '' } = chains.current()
      const batch: Batch = { chainId, rpcUrl, hashes: [], done: false }
      batches.set(id, batch)
      const finish = (): void => void (batch.done = true)
      inTurn(() => carryOut(batch, account, calls)).then(finish, finish)
      return { id }
    },
    async status(id) {
      const batch = batches.get(String(id))
      if (batch === undefined) throw new RpcError(5730, 'No batch has this id.')
      const found = await Promise.all(batch.hashes.map((hash) => receiptOf(batch.rpcUrl, hash)))
      const receipts = found.filter((receipt) => receipt !== undefined)
      const status = batch.done && receipts.length === batch.hashes.length ? statusOf(receipts) : 100
      const chainId = hexChainId(batch.chainId)
      return { version: '2.0.0', id, chainId, status, atomic: kind === 'atomic', receipts }
    },
  }
}

function statusOf(receipts: readonly Record<string, unknown>[]): number {
  const reverted = receipts.filter(({ status }) => status !== '0x1').length
  if (receipts.length === 0) return 400
  if (reverted === 0) return 200
  return reverted === receipts.length ? 500 : 600
}

async function receiptOf(rpcUrl: string, hash: Hex): Promise<Record<string, unknown> | undefined> {
  const receipt = await askChain(rpcUrl, 'eth_getTransactionReceipt', [hash])
  return isRecord(receipt) ? receipt : undefined
}

type Request = { id: string; account: LocalAccount; calls: readonly Record<string, unknown>[] }

/** Reads what EIP-5792 asks for, as strictly as it allows. */
function readRequest(request: unknown, accounts: readonly LocalAccount[], chains: ChainList, kind: BatchKind): Request {
  if (!isRecord(request) || request['version'] !== '2.0.0') throw invalid('wallet_sendCalls wants version 2.0.0.')
  const { from, chainId, atomicRequired, calls, capabilities, id = randomId() } = request
  const account = accountOf(accounts, from)
  if (chainId !== hexChainId(chains.current().id)) throw new RpcError(5710, 'The wallet is not on this chain.')
  if (typeof atomicRequired !== 'boolean') throw invalid('wallet_sendCalls wants to know whether atomic is required.')
  if (atomicRequired && kind !== 'atomic') throw new RpcError(5760, 'The wallet sends one call after the other.')
  const needed = Object.values(isRecord(capabilities) ? capabilities : {})
  if (needed.some((capability) => !isRecord(capability) || capability['optional'] !== true)) {
    throw new RpcError(5700, 'The wallet does not have a capability that is required.')
  }
  if (!Array.isArray(calls) || calls.length === 0 || !calls.every(isCall)) throw invalid('Expected calls.')
  return { id: String(id), account, calls }
}

function isCall(call: unknown): call is Record<string, unknown> {
  return (
    isRecord(call) && [call['to'], call['value'], call['data']].every((field) => field === undefined || isHex(field))
  )
}

function randomId(): string {
  return `0x${Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
