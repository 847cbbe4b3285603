import type { Namespace } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { useLatchkeyContext } from '../context.ts'
import { ServerStyles } from '../styles/ServerStyles.tsx'
import { useStyles } from '../styles/useStyles.ts'
import { buttonsEnglish } from '@latchkey/modal/messages'
import { buttonCss } from './button.css.ts'
import { plainButtonCss } from './plainButton.css.ts'
import { ButtonBoundary } from './ButtonBoundary.tsx'
import { useModalButton, type ButtonProps } from './useModalButton.ts'
import { useWallet } from './useWallet.ts'

export type WalletButtonProps = ButtonProps & {
  /** The wallet's id, reverse-DNS name, or name in any case. */
  wallet: string
  /** The namespace to connect. If omitted and the wallet has several, the modal asks for one. */
  namespace?: Namespace
  /** The text in place of the wallet's name. */
  label?: string
}

/**
 * Connects one wallet without showing a list. The modal opens only if the wallet is not available in the page.
 *
 * @example <WalletButton wallet="io.metamask" />
 */
export function WalletButton(props: WalletButtonProps): ReactElement {
  return (
    <ButtonBoundary>
      <WalletButtonContent {...props} />
    </ButtonBoundary>
  )
}

function WalletButtonContent({ wallet, namespace, label, ...props }: WalletButtonProps): ReactElement {
  const { texts, strings, styleRoot } = useLatchkeyContext()
  const { name, icon, status, connect } = useWallet(wallet, namespace)
  const { attributes, failed } = useModalButton({}, props)
  useStyles(plainButtonCss, () => styleRoot ?? document)
  const t = { ...buttonsEnglish.walletButton, ...texts?.walletButton, ...strings?.walletButton }
  const words = {
    ready: label ?? name,
    connected: label ?? name,
    pending: t.connecting,
    failed: `${name}: ${t.failed}`,
  }
  return (
    <button
      {...attributes}
      aria-haspopup={undefined}
      aria-expanded={undefined}
      data-wallet={failed ? 'failed' : status}
      aria-busy={status === 'pending'}
      onClick={(event) => {
        event.currentTarget.focus()
        connect()
      }}
    >
      <ServerStyles css={buttonCss + plainButtonCss} />
      <span>
        {icon?.startsWith('data:') === true ? (
          <img src={icon} alt="" width={24} height={24} />
        ) : (
          <i aria-hidden="true">{[...name][0]?.toUpperCase()}</i>
        )}
        {words[failed ? 'failed' : status]}
      </span>
    </button>
  )
}
