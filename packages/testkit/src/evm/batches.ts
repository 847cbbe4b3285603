import { isHex, type Hex, type LocalAccount } from 'viem'
import { isRecord } from '@latchkey/protocol'
import { hexChainId, type ChainList } from './chainList.ts'
import { requestChain, waitForReceipt } from './requestChain.ts'
import { RpcError } from '../rpcError.ts'
import { sendAtomically } from './sendAtomically.ts'
import { findAuthorizedAccount, invalidParams, signEvmRequest } from './signing.ts'

/** The execution of a batch: atomically in one transaction, or in one transaction per call. */
export type BatchKind = 'atomic' | 'one-by-one'

/** The call batches of a wallet (EIP-5792), executed on the chain. */
export type Batches = {
  /**
   * Starts executing a batch.
   *
   * @throws RpcError 4100, 5700, 5710, 5720, 5760, or -32602 if the request is invalid
   */
  send(request: unknown, accounts: readonly LocalAccount[]): { id: string }
  /** @throws RpcError 5730 if the batch is unknown */
  status(id: unknown): Promise<object>
}

type Batch = { chainId: number; rpcUrl: string; hashes: Hex[]; done: boolean }

/**
 * @param inTurn runs an action after all pending transactions
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
      batch.hashes.push(await sendAtomically(account, batch.chainId, batch.rpcUrl, calls))
      return
    }
    for (const call of calls) {
      const params = [{ ...call, from: account.address }]
      const hash = await signEvmRequest([account], chain, 'eth_sendTransaction', params)
      batch.hashes.push(hash)
      // A failed call ends the batch.
      if ((await waitForReceipt(batch.rpcUrl, hash))['status'] !== '0x1') return
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
  const receipt = await requestChain(rpcUrl, 'eth_getTransactionReceipt', [hash])
  return isRecord(receipt) ? receipt : undefined
}

type Request = { id: string; account: LocalAccount; calls: readonly Record<string, unknown>[] }

/** Parses an EIP-5792 request as strictly as the standard allows. */
function readRequest(request: unknown, accounts: readonly LocalAccount[], chains: ChainList, kind: BatchKind): Request {
  if (!isRecord(request) || request['version'] !== '2.0.0') throw invalidParams('wallet_sendCalls wants version 2.0.0.')
  const { from, chainId, atomicRequired, calls, capabilities, id = randomId() } = request
  const account = findAuthorizedAccount(accounts, from)
  if (chainId !== hexChainId(chains.current().id)) throw new RpcError(5710, 'The wallet is not on this chain.')
  if (typeof atomicRequired !== 'boolean')
    throw invalidParams('wallet_sendCalls wants to know whether atomic is required.')
  if (atomicRequired && kind !== 'atomic') throw new RpcError(5760, 'The wallet sends one call after the other.')
  const needed = Object.values(isRecord(capabilities) ? capabilities : {})
  if (needed.some((capability) => !isRecord(capability) || capability['optional'] !== true)) {
    throw new RpcError(5700, 'The wallet does not have a capability that is required.')
  }
  if (!Array.isArray(calls) || calls.length === 0 || !calls.every(isCall)) throw invalidParams('Expected calls.')
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
