import { installBundler, startChains, startSmartServices, type LocalChain } from '@latchkey/devnet'
import { startTestServer } from '@latchkey/server/testing'
import type { FrameRpcRequest } from '@latchkey/protocol'
import { keccak256, toBytes, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { createApprovals, createRecipients, type ApprovalContext } from '../approve/createApprovals.ts'
import type { ApprovalFacts } from '../approve/approvalFacts.ts'
import { createChain } from '../chain/chain.ts'
import type { FrameNetwork } from '../frameConfig.ts'
import type { Stage } from '../screens/stage/stage.ts'
import { englishMessages } from '../messages/loadFrameMessages.ts'
import { createSmart } from '../smart/smart.ts'
import type { HolderUser, KeyHolder, SignRequest } from '../worker/keyHolder.ts'
import { createPermissionOrigins, type PermissionOrigins } from '../worker/permissionOrigins.ts'
import { createMemoryStore } from '../worker/storage/holderStore.ts'

/** The project of the test server. */
export const projectId = '1a7c4e1000000000000000000000c0de'
/** The page that the wallet's requests come from. */
export const pageOrigin = 'https://dapp.example.org'

/** A local chain with a bundler and a paymaster, and the server in front of them. */
export type SmartWorld = {
  chain: LocalChain
  serverUrl: string
  network: FrameNetwork
  token: Hex
  bundlerUrl: string
  closeBundler(): Promise<void>
  close(): Promise<void>
}

/** Starts a world. The bundler is installed on first use, which takes about half a minute. */
export async function openSmartWorld(timeoutMs: number): Promise<SmartWorld> {
  const closers: (() => Promise<void>)[] = []
  await installBundler()
  const local = await startChains()
  closers.push(local.close)
  const [chain] = local.chains
  const { rpcUrl, smartAccounts, network } = chain
  const chainId = Number(network.id)
  const { entryPoint, factory, delegations } = smartAccounts
  const services = await startSmartServices({ chains: [{ chainId, rpcUrl, smartAccounts }], startTimeoutMs: timeoutMs })
  closers.push(services.close)
  await services.warm()
  const { name, nativeCurrency } = network
  const [bundlerUrl, paymasterUrl] = [services.bundlerUrl(chainId), services.paymasterUrl]
  const server = await startTestServer({
    chains: [
      {
        caipNetworkId: network.caipNetworkId,
        name,
        nativeCurrency,
        rpcUrls: [rpcUrl],
        tokens: [],
        smartAccounts: { entryPoint, factory, delegations, bundlerUrl, paymasterUrl },
      },
    ],
  })
  closers.push(server.close)
  return {
    chain,
    serverUrl: server.url,
    network: {
      chainId: network.caipNetworkId,
      name,
      nativeCurrency,
      smartAccounts: { entryPoint, factory, delegations, sponsored: true },
    },
    token: chain.tokens[0]?.address ?? '0x',
    bundlerUrl,
    closeBundler: services.close,
    async close() {
      for (const close of closers.splice(0).toReversed()) await close()
    },
  }
}

type WalletOptions = {
  /** Default: a new key. */
  key?: PrivateKeyAccount
  sponsored?: boolean
  clock?: { ms: number }
  serverUrl?: string
  approves?: () => boolean | Promise<boolean>
  /** Sends the wallet's requests to networks. Default: `fetch`. */
  load?: typeof fetch
}

/** A user with a wallet who approves all requests unless the test says otherwise. */
export function openSmartWallet(world: SmartWorld, options: WalletOptions = {}) {
  const { sponsored = true, clock, serverUrl = world.serverUrl, approves = () => true, load } = options
  const { key = privateKeyToAccount(generatePrivateKey()) } = options
  const now = () => clock?.ms ?? Date.now()
  const { holder, previewed, signed } = createSigningHolder(key)
  const network: FrameNetwork = {
    ...world.network,
    smartAccounts: world.network.smartAccounts && { ...world.network.smartAccounts, sponsored },
  }
  const config = { server: serverUrl, networks: [network] }
  const chain = createChain({ config, projectId, ...(load && { load }) })
  const user: HolderUser = { id: key.address, accounts: [{ namespace: 'eip155', address: key.address }] }
  const store = createMemoryStore()
  const shown: ApprovalFacts[] = []
  const smart = createSmart({
    config,
    projectId,
    chain,
    holder,
    store,
    user: async () => user,
    confirmSwitch: async () => true,
    now,
  })
  const stage: Stage = {
    async show<result>(screen: Parameters<Stage['show']>[0]) {
      shown.push(screen.window?.facts as ApprovalFacts)
      // The approval screen has these two outcomes.
      return ((await approves()) ? 'approved' : 'rejected') as result
    },
  }
  const recipients = createRecipients()
  const { readers } = smart
  const approvals = { config, chain, holder, recipients, stage, messages: () => englishMessages, readers, now }
  const approve = createApprovals(approvals)

  const where = (from = pageOrigin) => ({ user, network, origin: from })
  const context = async (from = pageOrigin): Promise<ApprovalContext> => ({
    origin: from,
    chainId: network.chainId,
    accounts: await smart.accounts(where(from)),
  })
  return {
    key,
    smart,
    shown,
    previewed,
    signed,
    where,
    async address(): Promise<Hex> {
      return (await smart.init(where())).address as Hex
    },
    async request(method: string, params: unknown, from = pageOrigin): Promise<unknown> {
      const request: FrameRpcRequest = { method, params }
      const handled = await smart.respond(request, await context(from))
      return handled === undefined ? approve(request, await context(from)) : handled.value
    },
  }
}

/** Creates a holder that signs with one key, and records its requests. */
function createSigningHolder(key: PrivateKeyAccount) {
  const [previewed, signed]: [SignRequest[], SignRequest[]] = [[], []]
  const entropy = async () => keccak256(key.address, 'bytes').slice(0, 16)
  const holder: Pick<KeyHolder, 'sign' | 'exceededRule' | keyof PermissionOrigins> = {
    ...createPermissionOrigins({ entropy }),
    exceededRule: async (requests) => void previewed.push(...requests),
    async sign(order) {
      signed.push(order)
      if (order.kind === 'evm-typed-data') return toBytes(await key.signTypedData(JSON.parse(order.json) as never))
      if (order.kind === 'evm-message') return toBytes(await key.signMessage({ message: { raw: order.message } }))
      throw new Error(`The test signs no ${order.kind}.`)
    },
  }
  return { holder, previewed, signed }
}

export type SmartTestWallet = ReturnType<typeof openSmartWallet>
