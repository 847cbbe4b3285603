import { shortenAddress } from '@latchkey/core'
import { showToast } from '@latchkey/modal'
import { useState, type ReactElement, type ReactNode } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { Icon } from '../../../parts/index.tsx'

/** A shortened address that expands on click, with its actions. */
export function Address({ address, before }: { address: string; before?: ReactNode }): ReactElement {
  const latchkey = useLatchkey()
  const { account: t, modal } = useModalMessages()
  const [isWhole, setIsWhole] = useState(false)
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(address)
      showToast(latchkey, t.copied)
    } catch {
      setIsWhole(true)
      showToast(latchkey, t.copyFailed, { variant: 'error' })
    }
  }
  return (
    <>
      <div className="address" data-alone={before === undefined ? '' : undefined}>
        {before}
        <button
          type="button"
          className="address-text figures"
          aria-expanded={isWhole}
          title={address}
          onClick={() => setIsWhole(!isWhole)}
        >
          {/* Addresses are written from left to right in every language. */}
          <bdi dir="ltr" aria-hidden="true">
            {shortenAddress(address)}
          </bdi>
          <span className="hidden">{modal.spokenAddress({ characters: spellAddress(shortenAddress(address)) })}</span>
        </button>
        <button type="button" className="icon-button" aria-label={t.copyAddress} onClick={() => void copy()}>
          <Icon name="copy" />
        </button>
      </div>
      {isWhole && (
        <p className="full-address">
          <bdi dir="ltr" aria-hidden="true">
            {address}
          </bdi>
          <span className="hidden">{`${t.fullAddress}: ${spellAddress(address)}`}</span>
        </p>
      )}
    </>
  )
}

/** Spells out a text, so that screen readers don't read it as a word. */
function spellAddress(text: string): string {
  return [...text].join(' ')
}
