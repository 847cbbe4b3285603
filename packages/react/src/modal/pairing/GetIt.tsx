import { pushView } from '@latchkey/modal'
import type { WalletListEntry } from '@latchkey/protocol'
import { useState, type ReactElement } from 'react'
import { useLatchkey } from '../../context.ts'
import { useModalMessages } from '../../messages/useModalMessages.ts'
import { useViewStyles } from '../shell/shadowRoot.ts'
import { downloadsOf } from './downloads.ts'
import { readEnvironment } from './environment.ts'
import { qrCss } from './qr.css.ts'

/** A link for users without the wallet. Renders nothing if there are no download links. */
export function GetIt({ wallet }: { wallet: WalletListEntry | undefined }): ReactElement | null {
  const { pairing: t } = useModalMessages()
  const [environment] = useState(readEnvironment)
  useViewStyles(qrCss)
  if (wallet === undefined || downloadsOf(wallet, environment).length === 0) return null
  return (
    <p className="get-it">
      <span>{t.notInstalled({ wallet: wallet.name })}</span>
      <GetLink wallet={wallet} text={t.getIt} />
    </p>
  )
}

type GetLinkProps = {
  wallet: WalletListEntry
  text: string
  /** True if it is the main action of the view. */
  isPrimary?: boolean
}

/** Opens the download link of a wallet, or the list of links if there are several. */
export function GetLink({ wallet, text, isPrimary = false }: GetLinkProps): ReactElement | null {
  const latchkey = useLatchkey()
  const { downloads: t } = useModalMessages()
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
