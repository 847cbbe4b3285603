import type { FrameEvents, FrameRequests } from '@latchkey/protocol'
import { createApprovals, createRecipients, type Approve } from '../approve/createApprovals.ts'
import type { Chain } from '../chain/chain.ts'
import type { FrameConfig } from '../frameConfig.ts'
import { consentScreen } from '../screens/consentScreen.ts'
import { emailChangeScreen, type EmailChangeFacts } from '../screens/emailChangeScreen.ts'
import { createStage } from '../screens/stage/createStage.ts'
import type { Screen } from '../screens/stage/stage.ts'
import { devicesScreen } from '../screens/devicesScreen.ts'
import { createPasskeys } from '../screens/recovery/passkeys.ts'
import { recoverScreen } from '../screens/recovery/recoverScreen.ts'
import { runRecovery } from '../screens/recovery/runRecovery.ts'
import type { Smart, SwitchFacts } from '../smart/smart.ts'
import { switchScreen } from '../smart/switchScreen.ts'
import type { Words } from '../messages/loadWords.ts'
import type { LoginResult, HolderUser, KeyHolder, RecoveryMethodInfo } from '../worker/keyHolder.ts'
import { openHolderStore } from '../worker/storage/holderStore.ts'
import { deviceApprovalScreen } from './deviceApprovalScreen.ts'

export type VisitorScreensDependencies = {
  readonly config: FrameConfig
  readonly chain: Chain
  readonly holder: KeyHolder
  readonly smart: Pick<Smart, 'readers'>
  readonly root: HTMLElement
  /** Texts in the current language. */
  words(): Words
  emit(news: FrameEvents['SCREEN']): void
}

/** All screens that ask the user. A separate chunk that loads before the first screen. */
export type VisitorScreens = {
  readonly approve: Approve
  askConsent(who: { origin: string; account: string | undefined }, signal: AbortSignal): Promise<boolean>
  askSwitch(who: SwitchFacts, signal?: AbortSignal): Promise<boolean>
  askEmailChange(facts: EmailChangeFacts, signal: AbortSignal): Promise<boolean>
  askRecovery(methods: readonly RecoveryMethodInfo[], signal: AbortSignal): Promise<HolderUser | undefined>
  /** Asks for the code of the provider's window until the device is approved. */
  askDevice(signal: AbortSignal): Promise<LoginResult | undefined>
  openScreen(
    screen: FrameRequests['OPEN_SCREEN']['payload']['screen'],
    user: HolderUser,
    signal: AbortSignal,
  ): Promise<void>
}

export function createVisitorScreens({
  config,
  chain,
  holder,
  smart,
  root,
  words,
  emit,
}: VisitorScreensDependencies): VisitorScreens {
  const stage = createStage({ root, emit, words, origin: config.origin })
  const passkeys = createPasskeys({ credentials: navigator.credentials, rpId: location.hostname })
  return {
    approve: createApprovals({
      config,
      chain,
      holder,
      stage,
      words,
      recipients: createRecipients(openHolderStore('latchkey-recipients')),
      readers: smart.readers,
      now: Date.now,
    }),
    askSwitch: async (who, signal) => (await stage.show(switchScreen(words(), who), { signal })) === 'switched',
    askConsent: async (who, signal) => (await stage.show(consentScreen(words(), who), { signal })) === 'allowed',
    askEmailChange: async (facts, signal) =>
      (await stage.show(emailChangeScreen(words(), facts), { signal })) === 'confirmed',
    askRecovery: (methods, signal) =>
      stage.show(recoverScreen({ words: words(), methods, holder, passkeys }), { signal }),
    askDevice: (signal) => stage.show(deviceApprovalScreen({ words: words(), holder }), { signal }),
    async openScreen(screen, { email, userName }, signal) {
      const accountPage = `${config.origin}/account/?projectId=${config.projectId ?? ''}`
      const show = <answer>(shown: Screen<answer>) => stage.show({ ...shown, page: accountPage }, { signal })
      if (screen === 'devices') {
        await show(devicesScreen({ words: words(), holder, passkeys }))
        return
      }
      const props = {
        words: words(),
        holder,
        passkeys,
        userName: email ?? userName ?? '',
        split: new URL(config.auth).origin !== new URL(config.shares).origin,
        addElsewhere: accountPage,
      }
      await runRecovery(props, show)
    },
  }
}
