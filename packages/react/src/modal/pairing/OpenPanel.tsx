import { internalsOf, setDeepLink } from '@latchkey/core/internal'
import type { PairingState } from '@latchkey/modal'
import type { WalletListEntry } from '@latchkey/protocol'
import { useState, type ReactElement } from 'react'
import { useLatchkey } from '../../context.ts'
import { useModalMessages } from '../../messages/useModalMessages.ts'
import { useSlow } from '../timing/useSlow.ts'
import { CopyLink } from './CopyLink.tsx'
import { readEnvironment, type Environment } from './environment.ts'
import { GetIt } from './GetIt.tsx'
import { openingsOf, type WalletOpening, type OpenPlatform } from './openings.ts'
import { useReturned } from './useReturned.ts'
import { Icon, StatusPanel, useWalletIcon } from '../parts/index.tsx'

type OpenPanelProps = {
  /** Undefined for any wallet on the device. */
  wallet: WalletListEntry | undefined
  platform: OpenPlatform
  pairing: PairingState
}

/**
 * Opens a wallet on this device or in a tab. Users follow the link themselves, because browsers open apps only within a tap.
 * After a failed attempt, the next link is offered.
 */
export function OpenPanel({ wallet, platform, pairing }: OpenPanelProps): ReactElement {
  const latchkey = useLatchkey()
  const { pairing: t } = useModalMessages()
  const [environment] = useState(readEnvironment)
  const [taps, setTaps] = useState(0)
  const uri = pairing.status === 'ready' ? pairing.uri : undefined
  const wait = taps === 0 ? undefined : `${platform} ${taps}`
  const isSlow = useSlow(wait)
  const isBack = useReturned(wait)
  const openings = listOpeningsFor(wallet, platform, uri, environment)
  // The link must not change while the browser follows it. The next one is offered after a failed attempt only.
  const tries = isSlow || isBack ? taps : Math.max(0, taps - 1)
  const opening = openings[tries % Math.max(1, openings.length)]
  const name = wallet?.name ?? t.title
  const icon = useWalletIcon(wallet)
  const open = (): void => {
    if (opening === undefined) return
    setTaps(taps + 1)
    if (wallet !== undefined) setDeepLink(internalsOf(latchkey).memory, { href: opening.link, name: wallet.name })
  }
  const hints = {
    preparing: t.preparing,
    back: t.returned({ wallet: name }),
    slow: t.slow({ wallet: name }),
    waiting: t.waiting,
    ready: environment.host === 'browser' ? t.openHints[platform] : t.inApp,
  }
  const status = isBack ? 'back' : isSlow ? 'slow' : taps > 0 ? 'waiting' : 'ready'
  const text =
    wallet === undefined ? t.openAnyWallet : taps === 0 ? t.open({ wallet: name }) : t.openAgain({ wallet: name })
  return (
    <>
      <StatusPanel
        wallet={{ name, icon }}
        state={taps === 0 ? 'ready' : 'waiting'}
        headline={t.openTitle({ wallet: name })}
        hint={hints[uri === undefined ? 'preparing' : status]}
      />
      <CopyLink uri={uri} />
      <a
        className="button"
        data-primary=""
        part="primary"
        href={opening?.href}
        target={opening?.target}
        rel={opening?.target === '_blank' ? 'noopener noreferrer' : undefined}
        aria-disabled={opening === undefined}
        onClick={open}
      >
        {text}
        <Icon name="external" />
      </a>
      {platform !== 'webapp' && <GetIt wallet={wallet} />}
    </>
  )
}

/** The bare pairing URI opens any wallet on this device that handles it. */
function listOpeningsFor(
  wallet: WalletListEntry | undefined,
  platform: OpenPlatform,
  uri: string | undefined,
  environment: Environment,
): readonly WalletOpening[] {
  if (uri === undefined) return []
  if (wallet !== undefined) return openingsOf(wallet, platform, uri, environment)
  return environment.host === 'telegram'
    ? []
    : [{ href: uri, link: '', target: environment.isFramed ? '_top' : '_self' }]
}
