import { classifyMethod, type FrameAccountType, type FrameRequests, type FrameUser } from '@latchkey/protocol'
import type { Approve } from '../approve/approval.ts'
import type { Chain } from '../chain/chain.ts'
import { rpcErrors, RpcError } from '../chain/rpcError.ts'
import type { FrameConfig, FrameNetwork } from '../frameConfig.ts'
import { schedule } from '../platform/schedule.ts'
import type { AddressConfirmation, HolderUser, KeyHolder } from '../worker/keyHolder.ts'
import type { Smart } from '../smart/smart.ts'
import type { Handlers } from './dispatcher.ts'
import { namespaceOf, findNetwork, findRequestNetwork } from './findNetwork.ts'
import { parseTheme } from './parseTheme.ts'
import type { PageSession } from './pageSession.ts'
import type { EmailChangeFacts } from '../screens/emailChangeScreen.ts'
import type { Theme } from '../screens/theme.ts'

export type HandlersDependencies = {
  readonly config: FrameConfig
  readonly projectId: string
  readonly holder: KeyHolder
  readonly pageSession: PageSession
  readonly chain: Chain
  readonly approve: Approve
  readonly smart: Smart
  /** Network from the frame's URL. */
  readonly firstChainId: string
  origin(): string
  applyTheme(theme: Theme): void
  /** Switches the language (BCP 47), if it is available. */
  speak(language: string): Promise<void>
  openScreen(
    screen: FrameRequests['OPEN_SCREEN']['payload']['screen'],
    user: HolderUser,
    signal: AbortSignal,
  ): Promise<void>
  /** Shows the change of the login's address. @returns true if the user confirmed it */
  confirmEmailChange(facts: EmailChangeFacts, signal: AbortSignal): Promise<boolean>
  /** Waits until the new address has confirmed the change by its link. @returns false if the user cancelled */
  confirmNewAddress(confirmation: AddressConfirmation, signal: AbortSignal): Promise<boolean>
  /** Loads what a login ends with, while the user reads a mail. */
  warmUp(): void
  /** Tells the page to close the provider's window. */
  opening(): void
  reload(): void
}

/** Creates the handlers of the page's requests. */
export function createHandlers(dependencies: HandlersDependencies): Handlers {
  const { config, pageSession, smart, origin } = dependencies
  const state = { network: startNetwork(config.networks, dependencies.firstChainId) }

  const describeUser = async (
    user: HolderUser,
    network: FrameNetwork,
    wish?: FrameAccountType,
  ): Promise<FrameUser> => ({
    ...(user.email !== undefined && { email: user.email }),
    ...(user.userName !== undefined && { userName: user.userName }),
    ...(await smart.describeAccounts({ user, network, origin: origin() }, wish)),
    chainId: network.chainId,
  })
  const networkFor = (chainId: string | number | undefined): FrameNetwork =>
    chainId === undefined ? state.network : findNetwork(config.networks, chainId)

  return {
    ...emailChangeHandlers(dependencies),
    ...loginHandlers(dependencies, (user, { chainId, preferredAccountType }) =>
      describeUser(user, networkFor(chainId), preferredAccountType),
    ),
    async GET_USER(payload) {
      const user = await pageSession.get()
      state.network = networkFor(payload?.chainId)
      return describeUser(user, state.network, payload?.preferredAccountType)
    },
    async SWITCH_NETWORK({ chainId }) {
      state.network = findNetwork(config.networks, chainId)
      return { chainId }
    },
    GET_CHAIN_ID: async () => ({ chainId: state.network.chainId }),
    RPC_REQUEST: (request, signal) => requestFromHolder(dependencies, request, state.network, signal),
    GET_SMART_ACCOUNT_ENABLED_NETWORKS: async () => ({ smartAccountEnabledNetworks: smart.networks }),
    INIT_SMART_ACCOUNT: async () => smart.init({ user: await pageSession.get(), network: state.network }),
    SET_PREFERRED_ACCOUNT: async ({ type }, signal) =>
      smart.prefer({ user: await pageSession.get(), network: state.network, origin: origin() }, type, signal),
    async SYNC_THEME(theme) {
      dependencies.applyTheme(parseTheme(theme))
    },
    async SYNC_DAPP_DATA({ projectId, language }) {
      if (projectId !== dependencies.projectId)
        throw new RpcError(-32_602, 'The project differs from the one in the frame’s URL.')
      if (language !== undefined) await dependencies.speak(language)
    },
    async RELOAD() {
      // The response is sent first.
      setTimeout(dependencies.reload)
    },
    async OPEN_SCREEN({ screen }, signal) {
      await dependencies.openScreen(screen, await pageSession.get(), signal)
    },
  }
}

type EmailChangeName = 'UPDATE_EMAIL' | 'UPDATE_EMAIL_PRIMARY_OTP' | 'UPDATE_EMAIL_SECONDARY_OTP'

function emailChangeHandlers({
  holder,
  pageSession,
  origin,
  confirmEmailChange,
  confirmNewAddress,
}: HandlersDependencies): Pick<Handlers, EmailChangeName> {
  return {
    async UPDATE_EMAIL({ email: newEmail }, signal) {
      const { email } = await pageSession.get()
      const isConfirmed = await confirmEmailChange({ origin: origin(), email, newEmail }, signal)
      if (!isConfirmed || signal.aborted) throw rpcErrors.rejected()
      return holder.updateEmail({ email: newEmail, origin: origin() })
    },
    async UPDATE_EMAIL_PRIMARY_OTP({ otp }, signal) {
      const link = await holder.updateEmailPrimary(otp)
      if (link !== undefined && !(await confirmNewAddress(link, signal))) throw rpcErrors.rejected()
      return undefined
    },
    UPDATE_EMAIL_SECONDARY_OTP: ({ otp }) => holder.updateEmailSecondary(otp),
  }
}

/** The warm-up would delay the picture of the next step. A user needs longer to open a mail. */
const warmUpMs = 1_000

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
  { holder, pageSession, origin, opening, warmUp }: HandlersDependencies,
  describeUser: (user: HolderUser, payload: FrameRequests['CONNECT_SOCIAL']['payload']) => Promise<FrameUser>,
): Pick<Handlers, LoginName> {
  return {
    async CONNECT_EMAIL({ email }, signal) {
      const result = await holder.sendCode({ email, origin: origin() })
      if (result.action === 'CONNECT') await pageSession.consent(signal)
      if (result.action === 'VERIFY_OTP') schedule(warmUp, warmUpMs)
      return result
    },
    async CONNECT_DEVICE() {
      schedule(warmUp, warmUpMs)
      await holder.awaitDevice()
      return undefined
    },
    async CONNECT_OTP({ otp }, signal) {
      await pageSession.enter(await holder.redeem(otp), signal)
      return undefined
    },
    GET_SOCIAL_REDIRECT_URI: ({ provider }) => holder.beginSocial({ provider, origin: origin() }),
    async CONNECT_SOCIAL(payload, signal) {
      await holder.awaitProvider()
      opening()
      await pageSession.enter(await holder.awaitSocial(), signal)
      return describeUser(await pageSession.get(), payload)
    },
    GET_FARCASTER_URI: () => holder.beginFarcaster({ origin: origin() }),
    async CONNECT_FARCASTER(_, signal) {
      const { userName = '', ...entered } = await holder.awaitFarcaster()
      await pageSession.enter(entered, signal)
      return { userName }
    },
    IS_CONNECTED: async () => ({ isConnected: (await pageSession.find()) !== undefined }),
    async SIGN_OUT() {
      await pageSession.leave()
      return undefined
    },
  }
}

/** Read requests go to the networks, signing requests to the user. Unknown methods are refused. */
async function requestFromHolder(
  { config, pageSession, chain, approve, smart, origin }: HandlersDependencies,
  request: FrameRequests['RPC_REQUEST']['payload'],
  inUse: FrameNetwork,
  signal: AbortSignal,
): Promise<unknown> {
  const { method, params } = request
  const kind = classifyMethod(method)
  if (kind === 'unknown') throw rpcErrors.notAllowed()
  const user = await pageSession.get()
  const network = findRequestNetwork(config.networks, request, inUse)
  const accounts = await smart.accounts({ user, network, origin: origin() })
  const context = { origin: origin(), chainId: network.chainId, accounts, signal }
  const local = await smart.respond(request, context)
  if (local !== undefined) return local.value
  if (kind === 'unsafe') return approve(request, context)
  const own = accounts.filter(({ namespace }) => namespace === namespaceOf(network)).map(({ address }) => address)
  if (method === 'eth_accounts') return own
  if (method === 'eth_chainId') return `0x${Number(network.chainId.split(':')[1]).toString(16)}`
  return chain.request(network.chainId, method, Array.isArray(params) ? params : [], { signal })
}

function startNetwork(networks: readonly FrameNetwork[], chainId: string): FrameNetwork {
  const network = networks.find((each) => each.chainId === chainId) ?? networks[0]
  if (network === undefined) throw new Error('The deployment has no networks.')
  return network
}
