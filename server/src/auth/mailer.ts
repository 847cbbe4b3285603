/** A mail in plain words. */
export type Mail = { readonly to: string; readonly subject: string; readonly text: string }

/** Sends mail. */
export type Mailer = {
  /**
   * @returns when the mail system took it
   * @throws Error when it did not within ten seconds; nothing was sent then, as far as anybody knows
   */
  send(mail: Mail): Promise<void>
  close(): Promise<void>
}
