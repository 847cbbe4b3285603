import type { ReactElement } from 'react'
import { useViewStyles } from '../../shadowRoot.ts'
import { connectCss } from '../connect/connect.css.ts'
import { useAgreement } from '../connect/legal.ts'
import { LegalBox, LegalFooter } from '../connect/Legal.tsx'
import { WalletWays } from '../connect/WalletWays.tsx'

/** The wallets alone, for apps that keep them behind one button. */
export default function ConnectWalletsView(): ReactElement {
  const { pending } = useAgreement()
  useViewStyles(connectCss)
  return (
    <>
      <LegalBox />
      <div className="ways" inert={pending}>
        <WalletWays />
      </div>
      <LegalFooter />
    </>
  )
}
