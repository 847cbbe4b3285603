import { pushView } from '@latchkey/core'
import type { WalletListEntry } from '@latchkey/protocol'
import { useState, type ReactElement } from 'react'
import { useLatchkey } from '../../context.ts'
import { useStrings } from '../../strings/useStrings.ts'
import { useViewStyles } from '../shadowRoot.ts'
import { downloadsOf } from './downloads.ts'
import { readEnvironment } from './environment.ts'
import { qrCss } from './qr.css.ts'

/** The way on for who does not have the wallet yet; nothing where nobody knows one. */
export function GetIt({ wallet }: { wallet: WalletListEntry | undefined }): ReactElement | null {
  const { pairing: t } = useStrings()
  const [environment] = useState(readEnvironment)
  useViewStyles(qrCss)
  if (wallet === undefined || downloadsOf(wallet, environment).length === 0) return null
  return (
    <p className="get-it">
      <span>{t.notInstalled(wallet.name)}</span>
      <GetLink wallet={wallet} text={t.get} />
    </p>
  )
}

type GetLinkProps = {
  wallet: WalletListEntry
  text: string
  /** It is the view's one next step. */
  isPrimary?: boolean
}

/** Leads to where a wallet can be got: at once when there is one place only. */
export function GetLink({ wallet, text, isPrimary = false }: GetLinkProps): ReactElement | null {
  const latchkey = useLatchkey()
  const { downloads: t } = useStrings()
  const [environment] = useState(readEnvironment)
  const [only, ...others] = downloadsOf(wallet, environment)
  if (only === undefined) return null
  const look = isPrimary ? { className: 'button', 'data-primary': '', part: 'primary' } : { className: 'link' }
  if (others.length === 0) {
    return (
      <a {...look} href={only.href} target="_blank" rel="noopener noreferrer">
        {text}
        <span className="hidden">{t.newTab}</span>
      </a>
    )
  }
  return (
    <button type="button" {...look} onClick={() => pushView(latchkey, { view: 'Downloads', params: { wallet } })}>
      {text}
    </button>
  )
}
