import { requestedNamespace } from '@latchkey/modal'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useViewStyles } from '../../../shell/shadowRoot.ts'
import { connectCss } from '../connect/connect.css.ts'
import { useAgreement } from '../connect/useAgreement.ts'
import { LegalBox, LegalFooter } from '../connect/Legal.tsx'
import { WalletChoices } from '../connect/WalletChoices.tsx'
import { inertIf } from '../../../parts/inertIf.ts'

/** The wallets without the logins, for apps that put them behind a button. */
export default function ConnectWalletsView(): ReactElement {
  const latchkey = useLatchkey()
  const { pending } = useAgreement()
  useViewStyles(connectCss)
  return (
    <>
      <LegalBox />
      <div className="choices" {...inertIf(pending)}>
        <WalletChoices namespace={requestedNamespace(latchkey)} />
      </div>
      <LegalFooter />
    </>
  )
}
