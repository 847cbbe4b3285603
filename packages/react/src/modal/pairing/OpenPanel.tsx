import type { PairingState } from '@latchkey/core'
import type { WalletListEntry } from '@latchkey/protocol'
import { useState, type ReactElement } from 'react'
import { useLatchkey } from '../../context.ts'
import { useStrings } from '../../strings/useStrings.ts'
import { useSlow } from '../useSlow.ts'
import { CopyLink } from './CopyLink.tsx'
import { isWebLink, walletLink } from './walletLink.ts'
import { Icon, Standing, useWalletIcon } from '../parts.tsx'

type OpenPanelProps = {
  /** Undefined stands for whichever wallet the device has for such links. */
  wallet: WalletListEntry | undefined
  /** Of the wallet list; undefined opens the pairing link itself. */
  link: string | undefined
  pairing: PairingState
}

/** A wallet on this device or in a tab of its own, opened by a link that the visitor follows himself. */
export function OpenPanel({ wallet, link, pairing }: OpenPanelProps): ReactElement {
  const latchkey = useLatchkey()
  const { pairing: t } = useStrings()
  const [opened, setOpened] = useState<string>()
  const isSlow = useSlow(opened)
  const uri = pairing.status === 'ready' ? pairing.uri : undefined
  const href = uri === undefined || link === undefined ? uri : walletLink(link, uri)
  const name = wallet?.name ?? t.title
  const open = (): void => {
    if (href === undefined) return
    setOpened(href)
    if (wallet !== undefined && link !== undefined) latchkey.memory.setDeepLink({ href: link, name: wallet.name })
  }
  const hint = isSlow ? t.slow(name) : opened === undefined ? t.openHint : t.waiting
  const icon = useWalletIcon(wallet)
  return (
    <>
      <Standing
        wallet={{ name, icon }}
        state={opened === undefined ? 'ready' : 'waiting'}
        headline={t.openTitle(name)}
        hint={uri === undefined ? t.preparing : hint}
      />
      <CopyLink uri={uri} />
      <a
        className="button"
        data-primary=""
        part="primary"
        href={href}
        aria-disabled={href === undefined}
        onClick={open}
        {...(href !== undefined && isWebLink(href) ? { target: '_blank', rel: 'noopener noreferrer' } : {})}
      >
        {wallet === undefined ? t.openAnyWallet : t.open(name)}
        <Icon name="external" />
      </a>
    </>
  )
}
