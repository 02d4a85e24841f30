import Gio from 'gi://Gio?version=2.0'
import GLib from 'gi://GLib?version=2.0'
import Gtk from 'gi://Gtk?version=3.0'
import WebKit from 'gi://WebKit2?version=4.1'

/**
 * Opens WebKitGTK in a window for its driver, run by gjs. The small browser that comes with the driver does not work here: when
 * driven, it is always in private mode, and it has no storage limit.
 */
const { folder, privateMode, noDatabase, quota, https } = JSON.parse(ARGV[0])

const kept = {
  'base-data-directory': `${folder}/data`,
  'base-cache-directory': `${folder}/cache`,
  // A share of the disk: WebKitGTK takes no number of bytes.
  ...(quota ? { 'origin-storage-ratio': (quota * 1_024) / diskBytes() } : {}),
}
const context = new WebKit.WebContext({
  'website-data-manager': new WebKit.WebsiteDataManager(privateMode ? { 'is-ephemeral': true } : kept),
})
if (https) context.get_website_data_manager().set_tls_errors_policy(WebKit.TLSErrorsPolicy.IGNORE)
context.set_automation_allowed(true)

const settings = new WebKit.Settings({
  'enable-write-console-messages-to-stdout': true,
  'enable-media-stream': true,
  // Over http WebKit caches a page that the user leaves, although the server says no-store. A real portal has https.
  'enable-page-cache': https === true,
})
if (noDatabase) switchOff('IndexedDBAPI')

context.connect('automation-started', (_context, session) => {
  const info = new WebKit.ApplicationInfo()
  info.set_name('portal-webkit')
  session.set_application_info(info)
  session.connect('create-web-view', newTab)
})

context.connect('download-started', (_context, download) => {
  download.connect('decide-destination', (_download, name) => {
    download.set_destination(GLib.filename_to_uri(`${folder}/downloads/${name}`, null))
    return true
  })
})

function newTab() {
  const view = new WebKit.WebView({ 'web-context': context, settings, 'is-controlled-by-automation': true })
  const window = new Gtk.Window({ 'default-width': 1280, 'default-height': 800 })
  window.add(view)
  view.connect('close', () => window.destroy())
  window.show_all()
  return view
}

function switchOff(identifier) {
  const all = WebKit.Settings.get_all_features()
  for (let at = 0; at < all.get_length(); at++) {
    if (all.get(at).get_identifier() === identifier) settings.set_feature_enabled(all.get(at), false)
  }
}

function diskBytes() {
  const SIZE = 'filesystem::size'
  return Gio.File.new_for_path(folder).query_filesystem_info(SIZE, null).get_attribute_uint64(SIZE)
}

Gtk.init(null)
Gtk.main()
