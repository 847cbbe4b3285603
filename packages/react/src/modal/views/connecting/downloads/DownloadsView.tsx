import type { Views } from '@latchkey/modal'
import { useState, type ReactElement } from 'react'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { downloadsOf, type Download } from '../../../pairing/downloads.ts'
import { readEnvironment } from '../../../pairing/environment.ts'
import { LinkRow } from './LinkRow.tsx'
import { StatusPanel, useWalletIcon } from '../../../parts/index.tsx'

const pictures: { readonly [kind in Download['kind']]: string } = {
  browser: 'M4 5.5h12v10H4zM4 8.5h12M6 7h.1M8 7h.1',
  ios: 'M6.5 3.5h7a1 1 0 0 1 1 1v11a1 1 0 0 1-1 1h-7a1 1 0 0 1-1-1v-11a1 1 0 0 1 1-1ZM9 14.5h2',
  android: 'M6.5 3.5h7a1 1 0 0 1 1 1v11a1 1 0 0 1-1 1h-7a1 1 0 0 1-1-1v-11a1 1 0 0 1 1-1ZM9.9 5.5h.2',
  website: 'M10 3.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13Zm0 0c4 3.5 4 9.5 0 13-4-3.5-4-9.5 0-13ZM3.8 10h12.4',
}

/** The download links of a wallet. */
export default function DownloadsView({ wallet }: Views['Downloads']): ReactElement {
  const { downloads: t } = useModalMessages()
  const [environment] = useState(readEnvironment)
  const icon = useWalletIcon(wallet)
  const downloads = downloadsOf(wallet, environment)
  return (
    <>
      <StatusPanel
        wallet={{ name: wallet.name, icon }}
        state="ready"
        headline={t.choosePlatform}
        hint={downloads.length === 0 ? t.noLinks({ wallet: wallet.name }) : t.hint({ wallet: wallet.name })}
      />
      <ul className="rows">
        {downloads.map(({ kind, href }) => (
          <LinkRow key={kind} href={href} name={t[kind]} picture={pictures[kind]} />
        ))}
      </ul>
    </>
  )
}
