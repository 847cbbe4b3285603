/** The state of the connection to the relay. */
export type RelayStatus =
  /** Nothing needs the relay. */
  | { readonly state: 'idle' }
  | { readonly state: 'connecting' }
  /** Connected. `refusal` is the relay's reason if it refuses subscriptions: messages may be late. The client retries. */
  | { readonly state: 'open'; readonly refusal?: string }
  /** The relay is unreachable. The client retries at `retryAt`, in milliseconds since the epoch. */
  | { readonly state: 'waiting'; readonly retryAt: number }
  /** The relay refuses this client: unknown project, origin not allowed, wrong clock. The client does not retry. */
  | { readonly state: 'refused'; readonly reason: string }
