import { defineAsyncComponent, hydrateOnIdle, type Component } from 'vue'
import VPSidebarItem from 'vitepress/dist/client/theme-default/components/VPSidebarItem.vue'

/**
 * A group of the theme's sidebar. The hundred links of the sidebar work without code, and taking them over takes as long as the
 * rest of the page, so each group has a task of its own once the page is idle.
 */
const sidebarGroup: Component = defineAsyncComponent({
  loader: () => Promise.resolve(VPSidebarItem),
  hydrate: hydrateOnIdle(),
})

export { sidebarGroup as default }
