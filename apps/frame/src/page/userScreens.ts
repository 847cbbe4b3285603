import type { FrameEvents, FrameRequests } from '@latchkey/protocol'
import { createApprovals, createRecipients, type Approve } from '../approve/createApprovals.ts'
import type { Chain } from '../chain/chain.ts'
import type { FrameConfig } from '../frameConfig.ts'
import { operatorsOf } from '../operatorsOf.ts'
import { consentScreen } from '../screens/consentScreen.ts'
import { newAddressScreen } from '../screens/newAddressScreen.ts'
import { emailChangeScreen, type EmailChangeFacts } from '../screens/emailChangeScreen.ts'
import { createStage } from '../screens/stage/createStage.ts'
import type { Screen, Stage } from '../screens/stage/stage.ts'
import { policyScreen } from '../screens/policy/policyScreen.ts'
import { devicesScreen } from '../screens/devicesScreen.ts'
import { waitingDeviceScreen } from '../screens/waitingDeviceScreen.ts'
import { createPasskeys, type Passkeys } from '../screens/recovery/passkeys.ts'
import { recoverScreen } from '../screens/recovery/recoverScreen.ts'
import { runRecovery } from '../screens/recovery/runRecovery.ts'
import type { Smart, SwitchFacts } from '../smart/smart.ts'
import { switchScreen } from '../smart/switchScreen.ts'
import type { Messages } from '../messages/loadFrameMessages.ts'
import type {
  AddressConfirmation,
  DeviceWait,
  LoginResult,
  HolderUser,
  KeyHolder,
  RecoveryMethodInfo,
} from '../worker/keyHolder.ts'
import { openHolderStore } from '../worker/storage/holderStore.ts'
import { createPolicySigner } from './createPolicySigner.ts'
import { deviceApprovalScreen } from './deviceApprovalScreen.ts'
import { deviceWaitScreen } from './deviceWaitScreen.ts'

export type UserScreensDependencies = {
  readonly config: FrameConfig
  readonly chain: Chain
  readonly holder: KeyHolder
  readonly smart: Pick<Smart, 'readers'>
  readonly root: HTMLElement
  /** Texts in the current language. */
  messages(): Messages
  /** Origin of the embedding page. */
  origin(): string
  emit(news: FrameEvents['SCREEN']): void
}

/** All screens that ask the user. A separate chunk that loads before the first screen. */
export type UserScreens = {
  readonly approve: Approve
  /** Signs, and asks a second device about requests beyond the signing policy. */
  readonly sign: KeyHolder['sign']
  confirmConnection(who: { origin: string; account: string | undefined }, signal: AbortSignal): Promise<boolean>
  confirmSwitch(who: SwitchFacts, signal?: AbortSignal): Promise<boolean>
  confirmEmailChange(facts: EmailChangeFacts, signal: AbortSignal): Promise<boolean>
  /** Waits until the new address has confirmed the change by its link. @returns false if the user cancelled */
  confirmNewAddress(confirmation: AddressConfirmation, signal: AbortSignal): Promise<boolean>
  showRecovery(methods: readonly RecoveryMethodInfo[], signal: AbortSignal): Promise<HolderUser | undefined>
  /** Asks for the code of the provider's window until the device is approved. */
  showDeviceApproval(signal: AbortSignal): Promise<LoginResult | undefined>
  /** Waits until a known device has approved this one. */
  showKnownDeviceApproval(wait: DeviceWait, signal: AbortSignal): Promise<LoginResult | undefined>
  /** Shows the new devices that wait for this one, once on this page. */
  reviewDevices(signal?: AbortSignal): Promise<void>
  openScreen(
    screen: FrameRequests['OPEN_SCREEN']['payload']['screen'],
    user: HolderUser,
    signal: AbortSignal,
  ): Promise<void>
}

export function createUserScreens({
  config,
  chain,
  holder,
  smart,
  root,
  messages,
  origin,
  emit,
}: UserScreensDependencies): UserScreens {
  const stage = createStage({ root, emit, messages, origin: config.origin })
  const passkeys = createPasskeys({ credentials: navigator.credentials, rpId: location.hostname })
  const signer = createPolicySigner({ holder, stage, networks: config.networks, messages, origin })
  const approve = createApprovals({
    config,
    chain,
    holder: signer,
    stage,
    messages,
    recipients: createRecipients(openHolderStore('latchkey-recipients')),
    readers: smart.readers,
    now: Date.now,
  })
  const reviewDevices = createDeviceReview(stage, { holder, messages })

  return {
    sign: signer.sign,
    reviewDevices,
    async approve(request, context) {
      await reviewDevices(context.signal)
      return approve(request, context)
    },
    confirmSwitch: async (who, signal) => (await stage.show(switchScreen(messages(), who), { signal })) === 'switched',
    confirmConnection: async (who, signal) =>
      (await stage.show(consentScreen(messages(), who), { signal })) === 'allowed',
    confirmEmailChange: async (facts, signal) =>
      (await stage.show(emailChangeScreen(messages(), facts), { signal })) === 'confirmed',
    confirmNewAddress: async (confirmation, signal) =>
      (await stage.show(newAddressScreen({ messages: messages(), holder, confirmation }), { signal })) === 'confirmed',
    showRecovery: (methods, signal) =>
      stage.show(recoverScreen({ messages: messages(), methods, holder, passkeys }), { signal }),
    showKnownDeviceApproval: (wait, signal) =>
      stage.show(deviceWaitScreen({ messages: messages(), holder, passkeys, wait }), { signal }),
    showDeviceApproval: (signal) => stage.show(deviceApprovalScreen({ messages: messages(), holder }), { signal }),
    openScreen: createScreenOpener({ config, holder, messages }, { stage, passkeys }),
  }
}

type ScreenOpenerDependencies = Pick<UserScreensDependencies, 'config' | 'holder' | 'messages'>

/**
 * Creates the function that opens the screens of an account: its devices, its signing policy, or its recovery methods.
 */
function createScreenOpener(
  { config, holder, messages }: ScreenOpenerDependencies,
  { stage, passkeys }: { stage: Stage; passkeys: Passkeys },
): UserScreens['openScreen'] {
  return async (screen, { email, userName, social }, signal) => {
    const accountPage = `${config.origin}/account/?projectId=${config.projectId ?? ''}`
    const show = <result>(shown: Screen<result>) => stage.show({ ...shown, page: accountPage }, { signal })
    if (screen === 'devices') {
      await show(devicesScreen({ messages: messages(), holder, passkeys }))
      return
    }
    if (screen === 'policy') {
      await show(policyScreen({ messages: messages(), holder, passkeys, networks: config.networks }))
      return
    }
    const props = {
      messages: messages(),
      holder,
      passkeys,
      userName: email ?? userName ?? '',
      ...operatorsOf(config, social),
      addElsewhere: accountPage,
    }
    await runRecovery(props, show)
  }
}

/**
 * Creates the function that shows new devices that wait for this one. It asks the share store once, so that the store doesn't
 * learn when the user signs.
 */
function createDeviceReview(
  stage: Stage,
  { holder, messages }: Pick<UserScreensDependencies, 'holder' | 'messages'>,
): UserScreens['reviewDevices'] {
  let pendingScreens: Promise<void> | undefined
  async function showAll(signal: AbortSignal | undefined): Promise<void> {
    // Without a response of the share store, the wallet stays usable.
    for (const device of await holder.waitingDevices().catch(() => [])) {
      await stage.show(waitingDeviceScreen({ messages: messages(), holder, device }), { signal })
    }
  }
  return (signal) => (pendingScreens ??= showAll(signal))
}
