import { useEffect, useState } from 'react'
import { AccountCard } from './home/AccountCard.tsx'
import { Apps } from './home/Apps.tsx'
import { BalanceList } from './home/BalanceList.tsx'
import { SettingsWarning } from './home/SettingsWarning.tsx'
import { ConnectForm } from './home/ConnectForm.tsx'
import { Header } from './home/Header.tsx'
import { OtherTab } from './home/OtherTab.tsx'
import { Notices } from './Notices.tsx'
import { AccountsSheet } from './sheets/AccountsSheet.tsx'
import { AppSheet } from './sheets/AppSheet.tsx'
import { PendingRequestSheet } from './sheets/PendingRequestSheet.tsx'
import { SettingsSheet } from './sheets/SettingsSheet.tsx'
import { useSelectedAccounts, useWalletState } from './useStore.ts'

/** The open sheet. The last sheet keeps its content while it closes. */
type SheetState = {
  isOpen: boolean
  sheet: { name: 'accounts' } | { name: 'settings' } | { name: 'app'; topic: string }
}

/** The whole page. */
export default function App() {
  const { relayConnection, apps, settings } = useWalletState()
  const accounts = useSelectedAccounts()
  const [opened, setOpened] = useState<SheetState>({ isOpen: false, sheet: { name: 'settings' } })
  const show = (sheet: SheetState['sheet']): void => setOpened({ isOpen: true, sheet })
  const close = (): void => setOpened(({ sheet }) => ({ isOpen: false, sheet }))
  useTheme(settings.theme)

  if (relayConnection === 'elsewhere') return <OtherTab />
  const { sheet, isOpen } = opened
  const app = sheet.name === 'app' ? apps.find(({ session }) => session.topic === sheet.topic) : undefined
  return (
    <>
      <main className="wallet">
        <Header relayConnection={relayConnection} onSettings={() => show({ name: 'settings' })} />
        <div className="scroll">
          <SettingsWarning settings={settings} onChange={() => show({ name: 'settings' })} />
          <AccountCard account={accounts[0]} onChoose={() => show({ name: 'accounts' })} />
          <Apps apps={apps} onOpen={(topic) => show({ name: 'app', topic })} />
          {accounts.map((account) => (
            <BalanceList key={account.namespace} account={account} />
          ))}
        </div>
        <PendingRequestSheet />
        <ConnectForm />
      </main>
      <AccountsSheet isOpen={isOpen && sheet.name === 'accounts'} selected={accounts} onClose={close} />
      <SettingsSheet isOpen={isOpen && sheet.name === 'settings'} onClose={close} />
      <AppSheet isOpen={isOpen && app !== undefined} app={app} onClose={close} />
      <Notices />
    </>
  )
}

function useTheme(theme: string): void {
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme
  }, [theme])
}
