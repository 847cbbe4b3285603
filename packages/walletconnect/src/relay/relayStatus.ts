/** The state of the connection to the relay. */
export type RelayStatus =
  /** Nothing needs the relay. */
  | { readonly state: 'idle' }
  | { readonly state: 'connecting' }
  | { readonly state: 'open' }
  /** The relay is unreachable. The client retries at `retryAt`, in milliseconds since the epoch. */
  | { readonly state: 'waiting'; readonly retryAt: number }
  /** The relay refuses this client: unknown project, origin not allowed, wrong clock. The client does not retry. */
  | { readonly state: 'refused'; readonly reason: string }
