import type { Namespace } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { useLatchkeyContext } from '../context.ts'
import { useAccount } from '../hooks/useAccount.ts'
import { ServerStyles } from '../styles/ServerStyles.tsx'
import { useStyles } from '../styles/useStyles.ts'
import { buttonsEnglish } from '@latchkey/modal/messages'
import { buttonCss } from './button.css.ts'
import { plainButtonCss } from './plainButton.css.ts'
import { ButtonBoundary } from './ButtonBoundary.tsx'
import { NetworkBadge } from './NetworkBadge.tsx'
import { useModalButton, type ButtonProps } from './useModalButton.ts'

export type NetworkButtonProps = ButtonProps & {
  /** The text if no network is selected. */
  label?: string
  /** The namespace whose network is shown. The active namespace if omitted. */
  namespace?: Namespace
}

/**
 * Shows the current network, and opens the list of networks. Warns if the app does not use the wallet's network.
 *
 * @example <NetworkButton />
 */
export function NetworkButton(props: NetworkButtonProps): ReactElement {
  return (
    <ButtonBoundary>
      <NetworkButtonContent {...props} />
    </ButtonBoundary>
  )
}

function NetworkButtonContent({ label, namespace, ...props }: NetworkButtonProps): ReactElement {
  const { texts, strings, styleRoot } = useLatchkeyContext()
  const account = useAccount(namespace)
  const { attributes } = useModalButton({ namespace, entry: { view: 'Networks', params: {} } }, props)
  useStyles(plainButtonCss, () => styleRoot ?? document)
  const t = { ...buttonsEnglish.networkButton, ...texts?.networkButton, ...strings?.networkButton }
  const { network } = account
  const isSupported = account.status !== 'connected' || account.supported
  const name = network?.name === '' ? t.unknown : network?.name
  return (
    <button {...attributes} data-network={isSupported ? '' : 'unsupported'}>
      <ServerStyles css={buttonCss + plainButtonCss} />
      <span>
        {isSupported && network !== undefined && (
          <NetworkBadge network={network} name={name ?? t.unknown} isConnected={account.status === 'connected'} />
        )}
        {isSupported ? (name ?? label ?? t.choose) : t.change}
      </span>
    </button>
  )
}
