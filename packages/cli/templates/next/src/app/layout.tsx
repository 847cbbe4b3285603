import { selectCookies } from '@latchkey/core'
import type { Metadata } from 'next'
import { headers } from 'next/headers'
import type { ReactNode } from 'react'
import '../style.css'
import { Wallet } from './Wallet.tsx'

export const metadata: Metadata = { title: '%NAME%', icons: { icon: 'data:,' } }

export default async function Layout({ children }: { children: ReactNode }) {
  // Properties of client components are part of the page, which must not contain the cookies of the session.
  const cookie = selectCookies((await headers()).get('cookie'))
  return (
    <html lang="en">
      <body>
        <Wallet cookie={cookie}>{children}</Wallet>
      </body>
    </html>
  )
}
