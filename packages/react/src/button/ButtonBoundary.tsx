import { buttonsEnglish } from '@latchkey/modal/messages'
import type { ReactElement, ReactNode } from 'react'
import { ErrorBoundary } from '../boundary/ErrorBoundary.tsx'
import { useLatchkeyContext } from '../context.ts'

/** Keeps a failing button from removing the page. A click on the button in its place renders it again. */
export function ButtonBoundary({ children }: { children: ReactNode }): ReactElement {
  const { texts, strings, theme, direction, locale } = useLatchkeyContext()
  const t = { ...buttonsEnglish.walletButton, ...texts?.walletButton, ...strings?.walletButton }
  return (
    <ErrorBoundary
      place="button"
      renderFailed={(retry) => (
        <button
          type="button"
          className="latchkey-button"
          lang={locale}
          dir={direction}
          data-theme={theme}
          onClick={retry}
        >
          <span>{t.failed}</span>
        </button>
      )}
    >
      {children}
    </ErrorBoundary>
  )
}
