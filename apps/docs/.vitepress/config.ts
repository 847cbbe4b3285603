export { createSiteConfig as default } from '../src/createSiteConfig.ts'
