import type { Latchkey } from '@latchkey/core'
import { reportRenderError, type RenderErrorPayload } from '@latchkey/modal'
import { Component, type ReactNode } from 'react'
import { useLatchkey } from '../context.ts'

type BoundaryProps = {
  latchkey: Latchkey
  place: RenderErrorPayload['place']
  view: RenderErrorPayload['view']
  /** Rendered in place of the children after they failed. `retry` renders the children again. */
  renderFailed(retry: () => void): ReactNode
  /** Called after a failure. */
  onFail?(): void
  /** The children are rendered again when this value changes. */
  resetKey?: unknown
  children: ReactNode
}

type BoundaryState = { hasFailed: boolean; resetKey: unknown }

/** React reports errors of rendering to class components only. */
class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { hasFailed: false, resetKey: undefined }

  static getDerivedStateFromError(): Pick<BoundaryState, 'hasFailed'> {
    return { hasFailed: true }
  }

  static getDerivedStateFromProps({ resetKey }: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return resetKey === state.resetKey ? null : { hasFailed: false, resetKey }
  }

  override componentDidCatch(cause: unknown): void {
    const { latchkey, place, view, onFail } = this.props
    reportRenderError(latchkey, { place, view, cause })
    onFail?.()
  }

  override render(): ReactNode {
    const { children, renderFailed } = this.props
    return this.state.hasFailed ? renderFailed(() => this.setState({ hasFailed: false })) : children
  }
}

/**
 * Renders something else in place of children that throw while they render. Without it, React removes the whole page of the
 * app. Every failure is reported as the event `render-error`.
 */
export function ErrorBoundary({
  view,
  ...props
}: Omit<BoundaryProps, 'latchkey' | 'view'> & Partial<Pick<BoundaryProps, 'view'>>): ReactNode {
  return <Boundary latchkey={useLatchkey()} view={view} {...props} />
}
