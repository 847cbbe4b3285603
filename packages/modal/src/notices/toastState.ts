/** A short notice that closes by itself. */
export type ToastState =
  | { open: false }
  | {
      open: true
      message: string
      /** `info` is neutral: for example, that the user declined. */
      variant: 'success' | 'info' | 'error' | 'loading'
      autoClose: boolean
      /** The standard notice that the message is, for translation. */
      notice?: StandardNotice
      link?: ToastLink
    }

/** A link in a notice. */
export type ToastLink = { readonly label: string; readonly href: string }

/** Notices that the modal shows by itself. A user interface translates them. */
export type StandardNotice = 'actionNotAllowed' | 'signInDeclined' | 'signInNotBegun' | 'walletLocked'
