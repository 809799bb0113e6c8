# What a screen accepts: of a device, of a dump, as JSON; and what is no screen.
tactus screen --device sim:$ROOT/examples/apps/player.json
tactus screen --device sim:$ROOT/examples/apps/door.json --json
cat > dump.xml <<'XML'
<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>
<hierarchy rotation="0">
  <node index="0" text="" resource-id="" class="android.view.View" package="com.ex" content-desc="" clickable="true" enabled="true" bounds="[0,0][100,50]">
    <node index="0" text="Don't panic" resource-id="" class="android.widget.TextView" package="com.ex" content-desc="" clickable="false" enabled="true" bounds="[0,0][100,50]"/>
  </node>
  <node index="1" text="name" resource-id="com.ex:id/name" class="android.widget.EditText" package="com.ex" content-desc="" clickable="true" long-clickable="true" enabled="true" bounds="[0,50][100,90]"/>
  <node index="2" text="Off" resource-id="" class="android.widget.Button" package="com.ex" content-desc="" clickable="true" enabled="false" bounds="[0,90][100,120]"/>
</hierarchy>
XML
tactus screen dump.xml
gzip -c dump.xml | tactus screen - | head -1
echo '<hierarchy><node></hierarchy>' > broken.xml
tactus screen broken.xml; echo "exit $?"
tactus screen none.xml; echo "exit $?"
tactus screen; echo "exit $?"
tactus screen dump.xml --device sim:$ROOT/examples/apps/door.json; echo "exit $?"
