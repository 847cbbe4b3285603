import { classifyMethod, type FrameAccountType, type FrameRequests, type FrameUser } from '@latchkey/protocol'
import type { Approve } from '../approve/approval.ts'
import type { Chain } from '../chain/chain.ts'
import { refusals, RpcError } from '../chain/rpcError.ts'
import type { FrameConfig, FrameNetwork } from '../config.ts'
import type { HolderUser, KeyHolder } from '../worker/keyHolder.ts'
import type { Smart } from '../smart/smart.ts'
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
  readonly smart: Smart
  /** The network that the page's address names. */
  readonly firstChainId: string
  origin(): string
  applyTheme(theme: Theme): void
  /** Says all further words in a language (BCP 47), where there is that. */
  speak(language: string): Promise<void>
  openScreen(
    screen: FrameRequests['OPEN_SCREEN']['payload']['screen'],
    user: HolderUser,
    signal: AbortSignal,
  ): Promise<void>
  /** Tells the page that the provider's window is not needed any more. */
  opening(): void
  reload(): void
}

/** What the frame does for a page, request by request. */
export function createHandlers(parts: HandlersParts): Handlers {
  const { config, holder, visitor, smart, origin } = parts
  const state = { network: startNetwork(config.networks, parts.firstChainId) }

  const tell = async (user: HolderUser, network: FrameNetwork, wish?: FrameAccountType): Promise<FrameUser> => ({
    ...(user.email !== undefined && { email: user.email }),
    ...(user.userName !== undefined && { userName: user.userName }),
    ...(await smart.tell({ user, network, origin: origin() }, wish)),
    chainId: network.chainId,
  })
  const networkFor = (chainId: string | number | undefined): FrameNetwork =>
    chainId === undefined ? state.network : networkOf(config.networks, chainId)

  return {
    ...loginHandlers(parts, (user, { chainId, preferredAccountType }) =>
      tell(user, networkFor(chainId), preferredAccountType),
    ),
    async GET_USER(asked) {
      const user = await visitor.get()
      state.network = networkFor(asked?.chainId)
      return tell(user, state.network, asked?.preferredAccountType)
    },
    async SWITCH_NETWORK({ chainId }) {
      state.network = networkOf(config.networks, chainId)
      return { chainId }
    },
    GET_CHAIN_ID: async () => ({ chainId: state.network.chainId }),
    RPC_REQUEST: (request, signal) => askWallet(parts, request, state.network, signal),
    GET_SMART_ACCOUNT_ENABLED_NETWORKS: async () => ({ smartAccountEnabledNetworks: smart.networks }),
    INIT_SMART_ACCOUNT: async () => smart.init({ user: await visitor.get(), network: state.network }),
    SET_PREFERRED_ACCOUNT: async ({ type }, signal) =>
      smart.prefer({ user: await visitor.get(), network: state.network, origin: origin() }, type, signal),
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
  { holder, visitor, origin, opening }: HandlersParts,
  tell: (user: HolderUser, asked: FrameRequests['CONNECT_SOCIAL']['payload']) => Promise<FrameUser>,
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
    async CONNECT_SOCIAL(asked, signal) {
      await holder.awaitProvider()
      opening()
      await visitor.enter(await holder.awaitSocial(), signal)
      return tell(await visitor.get(), asked)
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
  { config, visitor, chain, approve, smart, origin }: HandlersParts,
  request: FrameRequests['RPC_REQUEST']['payload'],
  inUse: FrameNetwork,
  signal: AbortSignal,
): Promise<unknown> {
  const { method, params } = request
  const kind = classifyMethod(method)
  if (kind === 'unknown') throw refusals.notAllowed()
  const user = await visitor.get()
  const network = networkOfRequest(config.networks, request, inUse)
  const accounts = await smart.accounts({ user, network, origin: origin() })
  const context = { origin: origin(), chainId: network.chainId, accounts, signal }
  const answered = await smart.answer(request, context)
  if (answered !== undefined) return answered.value
  if (kind === 'unsafe') return approve(request, context)
  const own = accounts.filter(({ namespace }) => namespace === familyOf(network)).map(({ address }) => address)
  if (method === 'eth_accounts') return own
  if (method === 'eth_chainId') return `0x${Number(network.chainId.split(':')[1]).toString(16)}`
  return chain.ask(network.chainId, method, Array.isArray(params) ? params : [], { signal })
}

function startNetwork(networks: readonly FrameNetwork[], chainId: string): FrameNetwork {
  const network = networks.find((each) => each.chainId === chainId) ?? networks[0]
  if (network === undefined) throw new Error('The deployment has no networks.')
  return network
}
