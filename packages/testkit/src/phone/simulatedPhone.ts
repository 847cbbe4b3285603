import { memoryStorage } from '@latchkey/core'
import { isAccountId, isChainId, type AccountId } from '@latchkey/protocol'
import { createWallet, type SessionProposal, type Wallet, type WalletRequest } from '@latchkey/walletconnect/wallet'
import { WebSocket } from 'ws'
import { createSimulatedExtension, type SimulatedExtension, type SimulatedExtensionOptions } from '../evm/extension.ts'
import { RpcError } from '../rpcError.ts'

export type SimulatedPhoneOptions = Omit<SimulatedExtensionOptions, 'info' | 'permitted' | 'unknownChains'> & {
  relayUrl: string
  projectId: string
  /** The name that apps show. Default: Simulated Phone. */
  name?: string
}

/** A phone wallet with real keys, connected by WalletConnect. It approves sessions and requests immediately by default. */
export type SimulatedPhone = Pick<
  SimulatedExtension,
  'faults' | 'requests' | 'hold' | 'approve' | 'decline' | 'rejectNext' | 'neverRespondNext'
> & {
  /** Opens a pairing URI, as the camera of a phone does. Resolves when the app has a session or was rejected. */
  pair(uri: string): Promise<void>
  /** Rejects the next session proposal. */
  rejectNextSession(): void
  /** The names of the apps with a session. */
  apps(): readonly string[]
  /** Ends all sessions, as a user does in the wallet. */
  disconnect(): Promise<void>
  /** Closes the connection to the relay. */
  close(): void
}

/**
 * Creates a simulated phone wallet for EVM networks. It speaks WalletConnect v2 through a real relay.
 *
 * @example
 * const phone = createSimulatedPhone({ relayUrl, projectId, privateKeys: [key], rpcUrls: { 31337: rpcUrl }, chainId: 31337 })
 * await phone.pair(uri)
 */
export function createSimulatedPhone({
  relayUrl,
  projectId,
  name = 'Simulated Phone',
  ...options
}: SimulatedPhoneOptions): SimulatedPhone {
  const keys = createSimulatedExtension({ ...options, permitted: true })
  const wallet = createWallet({
    relayUrl,
    projectId,
    metadata: { name, description: 'A wallet of @latchkey/testkit', url: 'https://wallet.example', icons: [] },
    storage: memoryStorage(),
    createSocket: (url) => new WebSocket(url),
  })
  const rejections = { sessions: 0 }
  const proposals = settleProposals(wallet, keys, Object.keys(options.rpcUrls), rejections)
  wallet.listen({
    request: (request) => void respondTo(wallet, keys, request),
  })
  return {
    faults: keys.faults,
    requests: keys.requests,
    hold: keys.hold,
    approve: keys.approve,
    decline: keys.decline,
    rejectNext: keys.rejectNext,
    neverRespondNext: keys.neverRespondNext,
    async pair(uri) {
      const settled = proposals.next()
      // Unused if pairing fails.
      settled.catch(() => undefined)
      await wallet.pair(uri).catch((error: unknown) => {
        proposals.forgetNext()
        throw error
      })
      await settled
    },
    rejectNextSession: () => void (rejections.sessions += 1),
    apps: () => wallet.sessions().map(({ peer }) => peer.name),
    disconnect: async () => void (await Promise.all(wallet.sessions().map(({ topic }) => wallet.disconnect(topic)))),
    close: wallet.close,
  }
}

/** Approves or rejects each proposal. `next` resolves, or rejects, when the next one is settled; `forgetNext` undoes the last call. */
function settleProposals(
  wallet: Wallet,
  keys: SimulatedExtension,
  chainIds: readonly string[],
  rejections: { sessions: number },
): { next(): Promise<void>; forgetNext(): void } {
  const waiting: Array<PromiseWithResolvers<void>> = []
  async function settle(proposal: SessionProposal): Promise<void> {
    if (rejections.sessions > 0) {
      rejections.sessions -= 1
      return wallet.reject(proposal, { code: 5000, message: 'User rejected.' })
    }
    await wallet.approve(proposal, { accounts: await listAccounts(keys, chainIds) })
  }
  wallet.listen({
    proposal(proposal) {
      const waiter = waiting.shift()
      settle(proposal).then(waiter?.resolve, waiter?.reject)
    },
  })
  return {
    next() {
      const waiter = withResolvers<void>()
      waiting.push(waiter)
      return waiter.promise
    },
    forgetNext: () => void waiting.pop(),
  }
}

type PromiseWithResolvers<value> = {
  promise: Promise<value>
  resolve(result: value): void
  reject(error: unknown): void
}

/** Node 20 has no Promise.withResolvers. */
function withResolvers<value>(): PromiseWithResolvers<value> {
  let resolve: (result: value) => void = () => undefined
  let reject: (error: unknown) => void = () => undefined
  const promise = new Promise<value>((onResult, onError) => {
    resolve = onResult
    reject = onError
  })
  return { promise, resolve, reject }
}

async function listAccounts(keys: SimulatedExtension, chainIds: readonly string[]): Promise<readonly AccountId[]> {
  const addresses = await keys.request({ method: 'eth_accounts' })
  const ids = chainIds.flatMap((chainId) =>
    (Array.isArray(addresses) ? addresses : []).map((address) => `eip155:${chainId}:${String(address)}`),
  )
  return ids.filter(isAccountId)
}

async function respondTo(wallet: Wallet, keys: SimulatedExtension, request: WalletRequest): Promise<void> {
  const [, reference] = isChainId(request.chainId) ? request.chainId.split(':') : []
  try {
    keys.setChain(Number(reference))
    const result = await keys.request({ method: request.method, params: request.params })
    await wallet.respond(request, { result })
  } catch (error) {
    const { code, message } = error instanceof RpcError ? error : new RpcError(-32_603, 'The wallet failed.')
    // The session may be over.
    await wallet.respond(request, { error: { code, message } }).catch(() => undefined)
  }
}
