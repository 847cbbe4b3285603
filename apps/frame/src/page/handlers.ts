import { classifyMethod, type FrameRequests, type FrameUser } from '@latchkey/protocol'
import type { Approve } from '../approve/approval.ts'
import type { Chain } from '../chain/chain.ts'
import { refusals, RpcError } from '../chain/rpcError.ts'
import type { FrameConfig, FrameNetwork } from '../config.ts'
import type { HolderUser, KeyHolder } from '../worker/keyHolder.ts'
import type { Handlers } from './dispatcher.ts'
import { familyOf, networkOf, networkOfRequest } from './networks.ts'
import { readTheme } from './readTheme.ts'
import type { Visitor } from './visitor.ts'
import type { Theme } from '../screens/theme.ts'

export type HandlersParts = {
  readonly config: FrameConfig
  readonly projectId: string
  readonly holder: KeyHolder
  readonly visitor: Visitor
  readonly chain: Chain
  readonly approve: Approve
  /** The network that the page's address names. */
  readonly firstChainId: string
  origin(): string
  applyTheme(theme: Theme): void
  /** Says all further words in a language; undefined for the browser's own. */
  speak(language: string | undefined): Promise<void>
  openScreen(
    screen: FrameRequests['OPEN_SCREEN']['payload']['screen'],
    user: HolderUser,
    signal: AbortSignal,
  ): Promise<void>
  reload(): void
}

/** What the frame does for a page, request by request. */
export function createHandlers(parts: HandlersParts): Handlers {
  const { config, holder, visitor } = parts
  const state = { network: startNetwork(config.networks, parts.firstChainId) }

  const tell = (user: HolderUser, network: FrameNetwork): FrameUser => ({
    ...(user.email !== undefined && { email: user.email }),
    ...(user.userName !== undefined && { userName: user.userName }),
    address: addressOn(user, network),
    chainId: network.chainId,
  })
  const networkFor = (chainId: string | number | undefined): FrameNetwork =>
    chainId === undefined ? state.network : networkOf(config.networks, chainId)

  return {
    ...loginHandlers(parts, (chainId, user) => tell(user, networkFor(chainId))),
    async GET_USER(asked) {
      const user = await visitor.get()
      state.network = networkFor(asked?.chainId)
      return tell(user, state.network)
    },
    async SWITCH_NETWORK({ chainId }) {
      state.network = networkOf(config.networks, chainId)
      return { chainId }
    },
    GET_CHAIN_ID: async () => ({ chainId: state.network.chainId }),
    RPC_REQUEST: (request, signal) => askWallet(parts, request, state.network, signal),
    async GET_SMART_ACCOUNT_ENABLED_NETWORKS() {
      const enabled = config.networks.filter(({ smartAccounts }) => smartAccounts !== undefined)
      return { smartAccountEnabledNetworks: enabled.map(({ chainId }) => Number(chainId.split(':')[1])) }
    },
    async INIT_SMART_ACCOUNT() {
      throw refusals.unsupported('smart accounts')
    },
    async SET_PREFERRED_ACCOUNT({ type }) {
      const user = await visitor.get()
      if (type !== 'eoa') throw refusals.unsupported('smart accounts')
      return { type, address: addressOn(user, state.network) }
    },
    async SYNC_THEME(theme) {
      parts.applyTheme(readTheme(theme))
    },
    async SYNC_DAPP_DATA({ projectId, language }) {
      if (projectId !== parts.projectId)
        throw new RpcError(-32_602, 'The project is not the one of the frame’s address.')
      if (language !== undefined) await parts.speak(language)
    },
    async RELOAD() {
      // The answer goes out first.
      setTimeout(parts.reload)
    },
    async OPEN_SCREEN({ screen }, signal) {
      await parts.openScreen(screen, await visitor.get(), signal)
    },
    UPDATE_EMAIL: async ({ email }) => {
      await visitor.get()
      return holder.updateEmail({ email, origin: parts.origin() })
    },
    async UPDATE_EMAIL_PRIMARY_OTP({ otp }) {
      await holder.updateEmailPrimary(otp)
      return undefined
    },
    UPDATE_EMAIL_SECONDARY_OTP: ({ otp }) => holder.updateEmailSecondary(otp),
  }
}

type LoginName =
  | 'CONNECT_EMAIL'
  | 'CONNECT_DEVICE'
  | 'CONNECT_OTP'
  | 'GET_SOCIAL_REDIRECT_URI'
  | 'CONNECT_SOCIAL'
  | 'GET_FARCASTER_URI'
  | 'CONNECT_FARCASTER'
  | 'IS_CONNECTED'
  | 'SIGN_OUT'

function loginHandlers(
  { holder, visitor, origin }: HandlersParts,
  tell: (chainId: string | number | undefined, user: HolderUser) => FrameUser,
): Pick<Handlers, LoginName> {
  return {
    async CONNECT_EMAIL({ email }, signal) {
      const answer = await holder.sendCode({ email, origin: origin() })
      if (answer.action === 'CONNECT') await visitor.consent(signal)
      return answer
    },
    async CONNECT_DEVICE() {
      await holder.awaitDevice()
      return undefined
    },
    async CONNECT_OTP({ otp }, signal) {
      await visitor.enter(await holder.redeem(otp), signal)
      return undefined
    },
    GET_SOCIAL_REDIRECT_URI: ({ provider }) => holder.beginSocial({ provider, origin: origin() }),
    async CONNECT_SOCIAL({ chainId }, signal) {
      await visitor.enter(await holder.awaitSocial(), signal)
      return tell(chainId, await visitor.get())
    },
    GET_FARCASTER_URI: () => holder.beginFarcaster({ origin: origin() }),
    async CONNECT_FARCASTER(_, signal) {
      const { userName = '', ...entered } = await holder.awaitFarcaster()
      await visitor.enter(entered, signal)
      return { userName }
    },
    IS_CONNECTED: async () => ({ isConnected: (await visitor.find()) !== undefined }),
    async SIGN_OUT() {
      await visitor.leave()
      return undefined
    },
  }
}

/** Reads are answered by the networks, all else by the visitor; a method that nobody knows by nobody. */
async function askWallet(
  { config, visitor, chain, approve, origin }: HandlersParts,
  request: FrameRequests['RPC_REQUEST']['payload'],
  inUse: FrameNetwork,
  signal: AbortSignal,
): Promise<unknown> {
  const { method, params } = request
  const kind = classifyMethod(method)
  if (kind === 'unknown') throw refusals.notAllowed()
  const { accounts } = await visitor.get()
  const network = networkOfRequest(config.networks, request, inUse)
  if (kind === 'unsafe') return approve(request, { origin: origin(), chainId: network.chainId, accounts, signal })
  const own = accounts.filter(({ namespace }) => namespace === familyOf(network)).map(({ address }) => address)
  if (method === 'eth_accounts') return own
  if (method === 'eth_chainId') return `0x${Number(network.chainId.split(':')[1]).toString(16)}`
  return chain.ask(network.chainId, method, Array.isArray(params) ? params : [], { signal })
}

function addressOn({ accounts }: HolderUser, network: FrameNetwork): string {
  const account = accounts.find(({ namespace }) => namespace === familyOf(network))
  if (account === undefined) throw refusals.unknownNetwork(network.chainId)
  return account.address
}

function startNetwork(networks: readonly FrameNetwork[], chainId: string): FrameNetwork {
  const network = networks.find((each) => each.chainId === chainId) ?? networks[0]
  if (network === undefined) throw new Error('The deployment has no networks.')
  return network
}
