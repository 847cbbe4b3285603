/** An event as AppKit names it, with its properties. */
export type AppKitEventData = {
  readonly type: 'track' | 'error'
  /** In upper case, such as `CONNECT_SUCCESS`. */
  readonly event: string
  readonly address?: string
  readonly properties?: Readonly<Record<string, unknown>>
}

/** The last event of an instance, and its time in milliseconds since the epoch. */
export type AppKitEvent = { readonly timestamp: number; readonly data: AppKitEventData }
