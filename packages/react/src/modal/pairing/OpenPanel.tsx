import type { PairingState } from '@latchkey/core'
import type { WalletListEntry } from '@latchkey/protocol'
import { useState, type ReactElement } from 'react'
import { useLatchkey } from '../../context.ts'
import { useStrings } from '../../strings/useStrings.ts'
import { useSlow } from '../useSlow.ts'
import { CopyLink } from './CopyLink.tsx'
import { readEnvironment, type Environment } from './environment.ts'
import { GetIt } from './GetIt.tsx'
import { openingsOf, type Opening, type OpenPlatform } from './openings.ts'
import { useReturned } from './useReturned.ts'
import { Icon, Standing, useWalletIcon } from '../parts.tsx'

type OpenPanelProps = {
  /** Undefined stands for whichever wallet the device has for pairing links. */
  wallet: WalletListEntry | undefined
  platform: OpenPlatform
  pairing: PairingState
}

/**
 * A wallet on this device or in a tab of its own. It is opened by a link that the visitor follows himself, in the very
 * task of his tap; who comes back without success is given the next link that there is.
 */
export function OpenPanel({ wallet, platform, pairing }: OpenPanelProps): ReactElement {
  const latchkey = useLatchkey()
  const { pairing: t } = useStrings()
  const [environment] = useState(readEnvironment)
  const [taps, setTaps] = useState(0)
  const uri = pairing.status === 'ready' ? pairing.uri : undefined
  const wait = taps === 0 ? undefined : `${platform} ${taps}`
  const isSlow = useSlow(wait)
  const isBack = useReturned(wait)
  const openings = openingsFor(wallet, platform, uri, environment)
  // A link stays as it is while the browser follows it: only who did not get anywhere is given the next one.
  const tries = isSlow || isBack ? taps : Math.max(0, taps - 1)
  const opening = openings[tries % Math.max(1, openings.length)]
  const name = wallet?.name ?? t.title
  const icon = useWalletIcon(wallet)
  const open = (): void => {
    if (opening === undefined) return
    setTaps(taps + 1)
    if (wallet !== undefined) latchkey.memory.setDeepLink({ href: opening.link, name: wallet.name })
  }
  const hints = {
    preparing: t.preparing,
    back: t.returned(name),
    slow: t.slow(name),
    waiting: t.waiting,
    ready: environment.host === 'browser' ? t.openHints[platform] : t.inApp,
  }
  const standing = isBack ? 'back' : isSlow ? 'slow' : taps > 0 ? 'waiting' : 'ready'
  const text = wallet === undefined ? t.openAnyWallet : taps === 0 ? t.open(name) : t.openAgain(name)
  return (
    <>
      <Standing
        wallet={{ name, icon }}
        state={taps === 0 ? 'ready' : 'waiting'}
        headline={t.openTitle(name)}
        hint={hints[uri === undefined ? 'preparing' : standing]}
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

/** The bare pairing link is for any wallet of this device, where there is one for it. */
function openingsFor(
  wallet: WalletListEntry | undefined,
  platform: OpenPlatform,
  uri: string | undefined,
  environment: Environment,
): readonly Opening[] {
  if (uri === undefined) return []
  if (wallet !== undefined) return openingsOf(wallet, platform, uri, environment)
  return environment.host === 'telegram'
    ? []
    : [{ href: uri, link: '', target: environment.isFramed ? '_top' : '_self' }]
}
