import { pushView, type ConnectMethod, type Views } from '@latchkey/core'
import { Fragment, type ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { useStrings } from '../../../strings/useStrings.ts'
import { useViewStyles } from '../../shadowRoot.ts'
import { connectCss } from './connect.css.ts'
import { useAgreement } from './legal.ts'
import { LegalBox, LegalFooter } from './Legal.tsx'
import { LoginWays } from './LoginWays.tsx'
import { WalletWays } from './WalletWays.tsx'
import { useConnectMethods } from './waysIn.ts'

/** The ways in, group by group in the order that the app wants [R9.3.3]. */
export default function ConnectView({ namespace }: Views['Connect']): ReactElement {
  const { collapseWallets } = useLatchkey().settings.features
  const { connect: t } = useStrings()
  const { pending } = useAgreement()
  const methods = useConnectMethods(namespace)
  const blocks = blocksOf(methods)
  const isCollapsed = collapseWallets && blocks.includes('login')
  useViewStyles(connectCss)
  return (
    <>
      <LegalBox />
      <div className="ways" inert={pending}>
        {blocks.map((block, index) => (
          <Fragment key={block}>
            {index > 0 && <p className="or">{t.or}</p>}
            {block === 'login' ? (
              <LoginWays methods={methods.filter((method) => method !== 'wallet')} namespace={namespace} />
            ) : isCollapsed ? (
              <CollapsedWallets />
            ) : (
              <WalletWays namespace={namespace} />
            )}
          </Fragment>
        ))}
      </div>
      <LegalFooter />
    </>
  )
}

/** E-mail and social logins are one block, at the place of the first of them. */
function blocksOf(methods: readonly ConnectMethod[]): ReadonlyArray<'wallet' | 'login'> {
  return [...new Set(methods.map((method) => (method === 'wallet' ? 'wallet' : 'login')))]
}

function CollapsedWallets(): ReactElement {
  const latchkey = useLatchkey()
  const { connect: t } = useStrings()
  return (
    <button type="button" className="button" onClick={() => pushView(latchkey, { view: 'ConnectWallets', params: {} })}>
      {t.withWallet}
    </button>
  )
}
