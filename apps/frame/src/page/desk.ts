import type { FrameNews, FrameRequests } from '@latchkey/protocol'
import { createApprovals, createRecipients, type Approve } from '../approve/index.ts'
import type { Chain } from '../chain/chain.ts'
import type { FrameConfig } from '../config.ts'
import { consentScreen } from '../screens/consent.ts'
import { createStage } from '../screens/createStage.ts'
import { devicesScreen } from '../screens/devices.ts'
import { createPasskeys } from '../screens/recovery/passkeys.ts'
import { recoverScreen } from '../screens/recovery/recover.ts'
import { waysScreen } from '../screens/recovery/ways.ts'
import type { Smart, SwitchFacts } from '../smart/smart.ts'
import { switchScreen } from '../smart/switchScreen.ts'
import type { Words } from '../words/words.ts'
import type { Entered, HolderUser, KeyHolder, ShownWay } from '../worker/keyHolder.ts'
import { openStore } from '../worker/store.ts'
import { deviceScreen } from './deviceScreen.ts'

export type DeskParts = {
  readonly config: FrameConfig
  readonly chain: Chain
  readonly holder: KeyHolder
  readonly smart: Pick<Smart, 'readers'>
  readonly root: HTMLElement
  /** In the language of the moment. */
  words(): Words
  tell(news: FrameNews['SCREEN']): void
}

/** All that the visitor is asked, on screens of this site's own. Loaded when somebody is about to be asked. */
export type Desk = {
  readonly approve: Approve
  askConsent(who: { origin: string; account: string | undefined }, signal: AbortSignal): Promise<boolean>
  askSwitch(who: SwitchFacts, signal?: AbortSignal): Promise<boolean>
  askWay(ways: readonly ShownWay[], signal: AbortSignal): Promise<HolderUser | undefined>
  /** Shows the digits that the mailed link asks for, until it was approved. */
  askDevice(link: Extract<Entered, { match: string }>, signal: AbortSignal): Promise<Entered | undefined>
  openScreen(
    screen: FrameRequests['OPEN_SCREEN']['payload']['screen'],
    user: HolderUser,
    signal: AbortSignal,
  ): Promise<void>
}

export function createDesk({ config, chain, holder, smart, root, words, tell }: DeskParts): Desk {
  const stage = createStage({ root, tell, words, origin: config.origin })
  const passkeys = createPasskeys({ credentials: navigator.credentials, rpId: location.hostname })
  return {
    approve: createApprovals({
      config,
      chain,
      holder,
      stage,
      words,
      recipients: createRecipients(openStore('latchkey-recipients')),
      readers: smart.readers,
      now: Date.now,
    }),
    askSwitch: async (who, signal) => (await stage.show(switchScreen(words(), who), { signal })) === 'switched',
    askConsent: async (who, signal) => (await stage.show(consentScreen(words(), who), { signal })) === 'allowed',
    askWay: (ways, signal) => stage.show(recoverScreen({ words: words(), ways, holder, passkeys }), { signal }),
    askDevice: (link, signal) => stage.show(deviceScreen({ ...link, words: words(), holder }), { signal }),
    async openScreen(screen, { email, userName }, signal) {
      const shown =
        screen === 'devices'
          ? devicesScreen({ words: words(), holder, passkeys })
          : waysScreen({
              words: words(),
              holder,
              passkeys,
              userName: email ?? userName ?? '',
              split: new URL(config.auth).origin !== new URL(config.shares).origin,
              addElsewhere: `${config.origin}/account/?projectId=${config.projectId ?? ''}`,
            })
      await stage.show(shown, { signal })
    },
  }
}
