import type { ConnectMethod } from '@latchkey/core'
import { internalsOf } from '@latchkey/core/internal'
import { pushView, type Views } from '@latchkey/modal'
import { Fragment, type ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { useStore } from '../../../../useStore.ts'
import { useViewStyles } from '../../../shell/shadowRoot.ts'
import { connectCss } from './connect.css.ts'
import { useAgreement } from './useAgreement.ts'
import { LegalBox, LegalFooter } from './Legal.tsx'
import { LoginMethods } from './LoginMethods.tsx'
import { WalletChoices } from './WalletChoices.tsx'
import { useConnectMethods } from './walletGroups.ts'
import { inertIf } from '../../../parts/inertIf.ts'

/** The wallets and login methods, by group in the order that the app configures [R9.3.3]. */
export default function ConnectView({ namespace }: Views['Connect']): ReactElement {
  const { collapseWallets } = internalsOf(useLatchkey()).settings.features
  const { connect: t } = useModalMessages()
  const { pending } = useAgreement()
  const methods = useConnectMethods(namespace)
  const blocks = blocksOf(methods)
  const isCollapsed = collapseWallets && blocks.includes('login')
  useViewStyles(connectCss)
  return (
    <>
      <LegalBox />
      <LockedHint namespace={namespace} />
      <div className="choices" {...inertIf(pending)}>
        {blocks.map((block, index) => (
          <Fragment key={block}>
            {index > 0 && <p className="or">{t.or}</p>}
            {block === 'login' ? (
              <LoginMethods methods={methods.filter((method) => method !== 'wallet')} namespace={namespace} />
            ) : isCollapsed ? (
              <CollapsedWallets />
            ) : (
              <WalletChoices namespace={namespace} />
            )}
          </Fragment>
        ))}
      </div>
      <LegalFooter />
    </>
  )
}

/** Email and social logins form one block, at the position of the first of them. */
function blocksOf(methods: readonly ConnectMethod[]): ReadonlyArray<'wallet' | 'login'> {
  return [...new Set(methods.map((method) => (method === 'wallet' ? 'wallet' : 'login')))]
}

function CollapsedWallets(): ReactElement {
  const latchkey = useLatchkey()
  const { connect: t } = useModalMessages()
  return (
    <button type="button" className="button" onClick={() => pushView(latchkey, { view: 'ConnectWallets', params: {} })}>
      {t.continueWithWallet}
    </button>
  )
}

/** Says that a wallet is locked whose connection returns once it is unlocked. */
function LockedHint({ namespace }: Views['Connect']): ReactElement | null {
  const { connect: t } = useModalMessages()
  const { namespaces } = useStore(useLatchkey().wallet)
  const states = namespace === undefined ? Object.values(namespaces) : [namespaces[namespace]]
  const isLocked = states.some((state) => state?.status === 'disconnected' && state.reason === 'locked')
  return isLocked ? (
    <p className="hint center" role="status">
      {t.walletLocked}
    </p>
  ) : null
}
