import { shortenAddress, type AccountState } from '@latchkey/core'
import type { MouseEvent, ReactElement } from 'react'
import { avatarGradient } from '../avatar.ts'
import { useChunk } from '../chunks.ts'
import { useSurroundings } from '../context.ts'
import { useAccount } from '../hooks/useAccount.ts'
import { anticipateModal } from '../modal/anticipateModal.ts'
import { loadModal } from '../modal/loadModal.ts'
import { buttonStrings } from '../strings/button.ts'
import { useStyles } from '../styles/useStyles.ts'
import { useStore } from '../useStore.ts'
import { buttonCss } from './button.css.ts'

export type ConnectButtonProps = {
  /** What it says while nobody is connected; "Connect" in the provider's language when left out. */
  label?: string
  /** Shows the native balance beside the account. */
  showBalance?: boolean
}

const loadBalance = (): Promise<typeof import('./ButtonBalance.tsx')> => import('./ButtonBalance.tsx')

/**
 * Opens the modal: to connect, or to show the connected account. Its width is the same in every state.
 *
 * @example <ConnectButton label="Sign in" />
 */
export function ConnectButton({ label, showBalance = false }: ConnectButtonProps): ReactElement {
  const { latchkey, theme, locale, direction, buttons, strings } = useSurroundings()
  const account = useAccount()
  const { open } = useStore(latchkey.modal)
  const modal = useChunk(loadModal, false)
  useStyles(buttonCss, () => document)

  const texts = { ...buttonStrings, ...buttons?.button, ...strings?.button }
  const calm = modal === 'failed' ? texts.failed : (label ?? texts.connect)
  const hasAccount = account.status === 'connected' || account.status === 'reconnecting'
  const anticipate = (): void => anticipateModal(latchkey, locale)
  const press = (event: MouseEvent<HTMLButtonElement>): void => {
    // Not every browser focuses a pressed button, and focus has to come back to it.
    event.currentTarget.focus()
    anticipate()
    if (modal !== undefined && modal !== 'failed') return modal.openModal(latchkey)
    // What opening takes comes with the modal. That it could not be fetched is told by the button's words.
    loadModal().then(
      ({ openModal }) => openModal(latchkey),
      () => undefined,
    )
  }
  return (
    <button
      type="button"
      className="latchkey-button"
      lang={locale}
      dir={direction}
      aria-haspopup="dialog"
      aria-expanded={open}
      data-theme={theme}
      data-account={hasAccount ? account.status : undefined}
      data-balance={showBalance ? '' : undefined}
      data-label={calm}
      data-busy={texts.connecting}
      onPointerEnter={anticipate}
      onPointerDown={anticipate}
      onFocus={anticipate}
      onClick={press}
    >
      {hasAccount ? (
        <Account account={account} showBalance={showBalance} />
      ) : (
        <span>{account.status === 'connecting' ? texts.connecting : calm}</span>
      )}
    </button>
  )
}

type AccountProps = { account: AccountState & { address: string }; showBalance: boolean }

function Account({ account, showBalance }: AccountProps): ReactElement {
  const balance = useChunk(loadBalance, showBalance)
  return (
    <span>
      <i style={{ background: avatarGradient(account.address) }} />
      {shortenAddress(account.address)}
      <small>{account.network?.name}</small>
      {showBalance && balance !== undefined && balance !== 'failed' && <balance.ButtonBalance />}
    </span>
  )
}
