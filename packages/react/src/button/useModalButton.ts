import { modalOf, type OpenOptions } from '@latchkey/modal'
import type { ComponentProps, MouseEvent } from 'react'
import { useLatchkeyContext } from '../context.ts'
import { useStyles } from '../styles/useStyles.ts'
import { useStore } from '../useStore.ts'
import { buttonCss } from './button.css.ts'
import { useOpenModal } from './useOpenModal.ts'

/** The props that all buttons share. */
export type ButtonProps = {
  /** 44 pixels high, or 36. */
  size?: 'md' | 'sm'
  disabled?: boolean
}

/** The attributes of a button, including its styling. */
export type ButtonAttributes = ComponentProps<'button'> & { 'data-theme': string; 'data-size': string | undefined }

/**
 * Creates the attributes of a button that opens the modal.
 *
 * @param open the options that open the modal
 * @returns the attributes, and true if the modal's code could not be fetched
 */
export function useModalButton(
  open: OpenOptions,
  { size, disabled }: ButtonProps,
): { attributes: ButtonAttributes; failed: boolean } {
  const { latchkey, theme, locale, direction, styleRoot } = useLatchkeyContext()
  const { open: isOpen } = useStore(modalOf(latchkey).state)
  const modal = useOpenModal()
  useStyles(buttonCss, () => styleRoot ?? document)
  const onClick = (event: MouseEvent<HTMLButtonElement>): void => {
    // Safari does not focus a clicked button, and focus has to return to it.
    event.currentTarget.focus()
    modal.open(open)
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
    onPointerEnter: modal.anticipate,
    onFocus: modal.anticipate,
    onClick,
  }
  return { attributes, failed: modal.failed }
}
