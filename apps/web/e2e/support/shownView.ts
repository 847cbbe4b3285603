import type { InstalledExtension } from '@latchkey/testkit/playwright'
import type { Page } from '@playwright/test'
import type { Urls } from './fixtures.ts'

/** The context for showing a view. */
export type Stage = { page: Page; urls: Urls; extension: InstalledExtension }

/** A view of the modal and the steps that open it. */
export type ShownView = { name: string; show(stage: Stage): Promise<void> }
