import type { Namespace } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { useSurroundings } from '../context.ts'
import { useAccount } from '../hooks/useAccount.ts'
import { useStyles } from '../styles/useStyles.ts'
import { networkButtonStrings } from '../strings/networkButton.ts'
import { plainButtonCss } from './plainButton.css.ts'
import { useModalButton, type ButtonProps } from './useModalButton.ts'

export type NetworkButtonProps = ButtonProps & {
  /** What it says where no network is in use. */
  label?: string
  /** The chain family whose network it shows; the active one when left out. */
  namespace?: Namespace
}

/**
 * Shows the network in use, and opens the choice of another one. On a network that the app does not use it says so.
 *
 * @example <NetworkButton />
 */
export function NetworkButton({ label, namespace, ...props }: NetworkButtonProps): ReactElement {
  const { texts, strings } = useSurroundings()
  const account = useAccount(namespace)
  const { attributes } = useModalButton({ namespace, entry: { view: 'Networks', params: {} } }, props)
  useStyles(plainButtonCss, () => document)
  const t = { ...networkButtonStrings, ...texts?.networkButton, ...strings?.networkButton }
  const { network } = account
  const isSupported = account.status !== 'connected' || account.supported
  const name = network?.name === '' ? t.unknown : network?.name
  return (
    <button {...attributes} data-network={isSupported ? '' : 'unsupported'}>
      <span>
        {isSupported && network !== undefined && <Badge name={name ?? t.unknown} icon={network.assets?.imageUrl} />}
        {isSupported ? (name ?? label ?? t.choose) : t.change}
      </span>
    </button>
  )
}

/** A picture that is here already, or a letter: nothing is fetched from anybody before the visitor acts. */
function Badge({ name, icon }: { name: string; icon: string | undefined }): ReactElement {
  if (icon?.startsWith('data:') === true) return <img src={icon} alt="" width={24} height={24} />
  return <i aria-hidden="true">{[...name][0]?.toUpperCase()}</i>
}
