import type { OpenOptions } from '@latchkey/core'
import type { ComponentProps, MouseEvent } from 'react'
import { useChunk } from '../chunks.ts'
import { useSurroundings } from '../context.ts'
import { anticipateModal } from '../modal/anticipateModal.ts'
import { loadModal } from '../modal/loadModal.ts'
import { useStyles } from '../styles/useStyles.ts'
import { useStore } from '../useStore.ts'
import { buttonCss } from './button.css.ts'

/** What every button of ours can be told. */
export type ButtonProps = {
  /** 44 pixels high, or 36. */
  size?: 'md' | 'sm'
  disabled?: boolean
}

/** Attributes of a button, those of its looks included. */
export type ButtonAttributes = ComponentProps<'button'> & { 'data-theme': string; 'data-size': string | undefined }

/**
 * A button that opens the modal.
 *
 * @param open what to open it with
 * @returns its attributes, and whether the modal's code could not be fetched
 */
export function useModalButton(
  open: OpenOptions,
  { size, disabled }: ButtonProps,
): { attributes: ButtonAttributes; failed: boolean } {
  const { latchkey, theme, locale, direction } = useSurroundings()
  const { open: isOpen } = useStore(latchkey.modal)
  const modal = useChunk(loadModal, false)
  useStyles(buttonCss, () => document)
  const anticipate = (): void => anticipateModal(latchkey, locale)
  const onClick = (event: MouseEvent<HTMLButtonElement>): void => {
    // Not every browser focuses a pressed button, and focus has to come back to it.
    event.currentTarget.focus()
    anticipate()
    if (modal !== undefined && modal !== 'failed') return modal.openModal(latchkey, open)
    // What opening takes comes with the modal. That it could not be fetched is told by the button's words.
    loadModal().then(
      ({ openModal }) => openModal(latchkey, open),
      () => undefined,
    )
  }
  const attributes: ButtonAttributes = {
    type: 'button',
    className: 'latchkey-button',
    lang: locale,
    dir: direction,
    disabled,
    'aria-haspopup': 'dialog',
    'aria-expanded': isOpen,
    'data-theme': theme,
    'data-size': size,
    onPointerEnter: anticipate,
    onFocus: anticipate,
    onClick,
  }
  return { attributes, failed: modal === 'failed' }
}
